"""placeholder"""
class BoneWriter:
    def section(self, bones, *, key): return b"\0"
