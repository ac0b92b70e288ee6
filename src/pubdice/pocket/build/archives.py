"""Archives with the same bytes at every build: sorted names, one fixed time, nothing of the machine."""

import gzip
import io
import zipfile
import zlib
from collections.abc import Mapping

FIXED_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip archive can say."""
READABLE = 0o100644 << 16


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of files by name, not compressed: one gzip over it all is 13 % smaller than zip's, file by file."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as members:
        for name in sorted(files):
            member = zipfile.ZipInfo(name, FIXED_TIME)
            member.create_system, member.external_attr = 3, READABLE  # not those of the machine that builds
            members.writestr(member, files[name])
    return archive.getvalue()


def gzipped(contents: bytes) -> bytes:
    """The contents compressed, without a time or a name."""
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=0) as file:
        file.write(contents)
    return packed.getvalue()


def unzipped(packed: bytes, most: int) -> bytes | None:
    """What was compressed by gzip; None if it is damaged or has more than ``most`` bytes."""
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        contents = unpacking.decompress(packed, most + 1)
    except zlib.error:
        return None
    whole = unpacking.eof and not unpacking.unused_data and len(contents) <= most
    return contents if whole else None
