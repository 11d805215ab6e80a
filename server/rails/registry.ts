import { airtel } from './airtel/airtel.ts'
import { daraja } from './daraja/daraja.ts'
import { mtnMomo } from './mtn-momo/mtn-momo.ts'
import type { RailKind } from './rail-kind.ts'

/** Where a kind from outside this tree came from. */
export interface PackageOrigin {
  readonly path: string
  readonly sha256: string
}

/** The kinds of a process. */
export interface KindList {
  readonly kinds: readonly RailKind[]
  /** @returns undefined for an unknown kind, for example a rail of an older version */
  readonly railKind: (name: string) => RailKind | undefined
  /** @returns undefined for a kind of this tree */
  readonly packageOf: (name: string) => PackageOrigin | undefined
  /** Adds a kind for the rest of the process. The caller has checked that none has its name. */
  readonly add: (kind: RailKind, origin: PackageOrigin) => void
}

/** @param own kinds of this tree */
export function kindList(own: readonly RailKind[]): KindList {
  const kinds = [...own]
  const origins = new Map<string, PackageOrigin>()
  return {
    kinds,
    railKind: (name) => kinds.find((kind) => kind.name === name),
    packageOf: (name) => origins.get(name),
    add(kind, origin) {
      kinds.push(kind)
      origins.set(kind.name, origin)
    },
  }
}

/** Add a line here for a new rail, a folder beside it, a contract in openapi/operators. */
export const REGISTRY = kindList([mtnMomo, daraja, airtel])

/**
 * Every rail kind that a rail account can have. Rail packages join it when the process starts: read it when it is
 * needed, not when a module loads.
 */
export const RAIL_KINDS: readonly RailKind[] = REGISTRY.kinds
export const { railKind, packageOf } = REGISTRY
