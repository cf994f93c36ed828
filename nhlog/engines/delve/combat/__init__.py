"""Damage: who is hurt, by whose blows and missiles, and who dies of it.

Must not import `monsters`, `hero` or what is above them: nobody decides anything here.

"""
