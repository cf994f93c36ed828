"""Public keys whose secret halves nobody has."""

__all__ = ["ECDSA", "FINGERPRINT", "KEY"]

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPrhTazTv/gsVFcw6YUZPl8HxGACQ2U9M0TxaXO0fwgl ann@home"
FINGERPRINT = "SHA256:NKe+B3L9rd5rxug4Ob2xBsMMsy+b2lMmDPNhfiuQtEo"  # as ssh-keygen -l says
ECDSA = (
    "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBKhRieEMQ43CXDhN9uEz/qVOo4EvIXeiqJ+DccJgN"
    "HWxjvGONMn4gvFIHBXqQ9Aw31OYtDsAcHTPe3kUaGP8B4Q="
)
