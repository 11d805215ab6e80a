import { airtel } from './airtel/airtel.ts'
import { daraja } from './daraja/daraja.ts'
import { mtnMomo } from './mtn-momo/mtn-momo.ts'
import type { RailKind } from './rail-kind.ts'

const kinds: RailKind[] = [mtnMomo, daraja, airtel]
const packages = new Map<string, PackageOrigin>()

/**
 * Every rail kind that a rail account can have: add a line above, a folder beside it, a contract in openapi/operators.
 * Rail packages are added when the process starts: read it when it is needed, not when a module loads.
 */
export const RAIL_KINDS: readonly RailKind[] = kinds

/** Where a kind from outside this tree came from. */
export interface PackageOrigin {
  readonly path: string
  readonly sha256: string
}

/** Adds a kind for the rest of this process. The caller has checked that none has its name. */
export function addPackagedKind(kind: RailKind, origin: PackageOrigin): void {
  kinds.push(kind)
  packages.set(kind.name, origin)
}

/** Whether this process has run this very file. */
export const isAdded = ({ path, sha256 }: PackageOrigin): boolean =>
  [...packages.values()].some((known) => known.path === path && known.sha256 === sha256)

/** @returns undefined for a kind of this tree */
export const packageOf = (name: string): PackageOrigin | undefined => packages.get(name)

/** @returns undefined for an unknown kind, for example a rail of an older version */
export const railKind = (name: string): RailKind | undefined => RAIL_KINDS.find((kind) => kind.name === name)
