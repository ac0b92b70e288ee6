"""The bill of materials of a release (SBOM), as CycloneDX: what a house needs to run, and what a pocket house ships.

Of the house it is the lock, with who needs what; licences are those that the installed packages name. Of the pocket it
is what ``pubdice_pocket.build.parts`` pins. cyclonedx-python-lib writes and checks it (decision 14).
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from packageurl import PackageURL

from pubdice_pocket.build.parts import NPM_PACKAGES, WHEELS, NpmPackage, Wheel
from release.lock_file import Locked, read_lock

MOST_LICENCE = 100
"""Letters of a licence's name; longer ones are its text."""


def bill(version: str, commit: str, epoch: int, locked: Sequence[Locked]) -> str:
    """The bill as text, the same for the same commit. epoch: its time in s. Raises ValueError: it breaks its schema."""
    purl, made_from = PackageURL("pypi", name="pubdice", version=version), Property(name="pubdice:commit", value=commit)
    house = _own("pubdice", version, purl=purl, properties=[made_from])
    libraries = {each: _library(each) for each in locked}
    pocket = _own("pubdice-pocket", version)
    parts = list(_pocket_parts())
    number = uuid5(NAMESPACE_URL, f"pubdice:{commit}")
    made = Bom(components=[*libraries.values(), pocket, *parts], serial_number=number)
    made.metadata.timestamp, made.metadata.component = datetime.fromtimestamp(epoch, UTC), house
    made.register_dependency(house, [one for each, one in libraries.items() if _is_direct(each)])
    for each, one in libraries.items():
        made.register_dependency(one, [other for needed, other in libraries.items() if each.name in needed.via])
    made.register_dependency(pocket, parts)
    from cyclonedx.validation.json import JsonStrictValidator  # noqa: PLC0415  (2 s: jsonschema's grammars)

    written = JsonV1Dot6(made).output_as_string(indent=2) + "\n"
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(written)
    if wrong:
        raise ValueError(f"the bill of materials breaks its schema: {wrong}")
    return written


def licence_named(name: str) -> str:
    """The licence that an installed package names, as an SPDX expression or in its own words; "" if none."""
    try:
        named = metadata(name)
    except PackageNotFoundError:
        return ""
    kinds = [each for each in named.get_all("Classifier", []) if each.startswith("License ::")]
    said = [word for field in ("License-Expression", "License") for word in named.get_all(field, [])]
    words = [*said, *[each.split(" :: ")[-1] for each in kinds]]
    return next((word for word in words if word and len(word) < MOST_LICENCE and "\n" not in word), "")


def _is_direct(each: Locked) -> bool:
    return any(name.startswith("pubdice") for name in each.via)


def _own(name: str, version: str, **more: Any) -> Component:
    kind, licences = ComponentType.APPLICATION, [LicenseExpression("MIT")]
    return Component(type=kind, name=name, version=version, bom_ref=name, licenses=licences, **more)


def _library(each: Locked) -> Component:
    return Component(
        name=each.name,
        version=each.version,
        bom_ref=f"{each.name}@{each.version}",
        licenses=_licences(licence_named(each.name)),
        purl=PackageURL("pypi", name=each.name, version=each.version),
        properties=[Property(name="pubdice:needed-where", value=each.marker)] if each.marker else [],
    )


def _pocket_parts() -> Iterator[Component]:
    parts: list[tuple[NpmPackage | Wheel, str, HashType]] = [
        *[(each, "npm", HashType(alg=HashAlgorithm.SHA_512, content=each.sha512)) for each in NPM_PACKAGES],
        *[(each, "pypi", HashType(alg=HashAlgorithm.SHA_256, content=each.sha256)) for each in WHEELS],
    ]
    for part, registry, checksum in parts:
        yield Component(
            name=part.name,
            version=part.version,
            bom_ref=f"pocket:{part.name}@{part.version}",
            licenses=[LicenseExpression(part.licence)],
            purl=PackageURL(registry, name=part.name, version=part.version),
            hashes=[checksum],
        )


def _licences(named: str) -> Iterable[LicenseExpression | DisjunctiveLicense]:
    if not named:
        return ()
    spoken = " " in named and not any(word in named for word in (" AND ", " OR ", " WITH "))
    return (DisjunctiveLicense(name=named) if spoken else LicenseExpression(named),)


def main(words: Sequence[str]) -> None:
    """Print the bill of a lock, a version, a commit and its time in s."""
    lock, version, commit, epoch = words
    sys.stdout.write(bill(version, commit, int(epoch), read_lock(Path(lock))))


if __name__ == "__main__":
    main(sys.argv[1:])
