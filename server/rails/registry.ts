import { airtel } from './airtel/airtel.ts'
import { daraja } from './daraja/daraja.ts'
import { mtnMomo } from './mtn-momo/mtn-momo.ts'
import type { RailKind } from './rail-kind.ts'

/**
 * Every rail kind that a rail account can have: add a line here, a folder beside it, a contract in openapi/operators.
 */
export const RAIL_KINDS: readonly RailKind[] = [mtnMomo, daraja, airtel]

/** @returns undefined for an unknown kind, for example a rail of an older version */
export const railKind = (name: string): RailKind | undefined => RAIL_KINDS.find((kind) => kind.name === name)
