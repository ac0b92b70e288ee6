"""Archives that have the same bytes at every build. Names are sorted, all times are the same, and nothing depends on
the machine.
"""

import io
import lzma
import zipfile
from collections.abc import Mapping

from pubdice_pocket.build.parts import ended

FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip archive can hold
READABLE = 0o100644 << 16
_PACKED = {"id": lzma.FILTER_LZMA1, "preset": 9, "lc": 3, "lp": 0, "pb": 0, "dict_size": 1 << 24}
PROPERTIES = b"\x03"
"""The first byte of a packed file: (pb * 5 + lp) * 9 + lc. ``static/sw/lzma.js`` unpacks no other kind of file."""
PIECE = 1 << 20  # The number of bytes to pack at a time, which takes half a second. The result does not depend on it.
MOST_MEMORY = 1 << 26  # the most bytes of memory for unpacking, whatever the file says that it needs


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return an uncompressed zip archive of files, given by name. Compressed as a whole, it is 13 % smaller than an
    archive that compresses each file.
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as members:
        for name in sorted(files):
            member = zipfile.ZipInfo(name, FIXED_TIME)
            # fixed values in place of those of the machine that builds
            member.create_system, member.external_attr = 3, READABLE
            members.writestr(member, files[name])
    return archive.getvalue()


def packed(contents: bytes) -> bytes:
    """Return the contents compressed, for ``static/sw/lzma.js`` to unpack. The result is a quarter smaller than with
    gzip, and takes 7 s for 9 MB.
    """
    packing, found = lzma.LZMACompressor(lzma.FORMAT_ALONE, filters=[_PACKED]), []
    for begin in range(0, len(contents), PIECE):
        if ended.is_set():
            raise InterruptedError
        found.append(packing.compress(contents[begin : begin + PIECE]))
    return b"".join((*found, packing.flush()))


def unpacked(file: bytes, most: int) -> bytes | None:
    """Return the unpacked content. Return None if the file is damaged, if no phone unpacks this kind of file, or if the
    content has more than ``most`` bytes.
    """
    if file[:1] != PROPERTIES:
        return None
    unpacking = lzma.LZMADecompressor(lzma.FORMAT_ALONE, MOST_MEMORY)
    try:
        contents = unpacking.decompress(file, most + 1)
    except (lzma.LZMAError, EOFError):
        return None
    whole = unpacking.eof and not unpacking.unused_data and len(contents) <= most
    return contents if whole else None
