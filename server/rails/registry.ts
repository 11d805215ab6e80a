import { daraja } from './daraja/daraja.ts'
import { mtnMomo } from './mtn-momo/mtn-momo.ts'
import type { RailKind } from './rail-kind.ts'

/** Every kind of rail that an installation can be of: a line here, a folder beside it, a contract in openapi/operators. */
export const RAIL_KINDS: readonly RailKind[] = [mtnMomo, daraja]

/** @returns undefined for a name that no kind has, for example of an older version's rail */
export const railKind = (name: string): RailKind | undefined => RAIL_KINDS.find((kind) => kind.name === name)
