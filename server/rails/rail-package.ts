import type { RailKind } from './rail-kind.ts'

/** The version of the port: of what a rail and the gateway say to each other (`rail-kind.ts`, `ports/rail.ts`). */
export const RAIL_PORT = 1

/** The default export of a rail from outside this tree: one file without dependencies, made by `malipo-rail bundle`. */
export interface RailPackage {
  readonly port: number
  readonly kind: RailKind
  /** The operator's contract, a bundled OpenAPI 3.1 document. */
  readonly contract: object
}

/** What an author exports: `export default railPackage({ kind, contract })`. */
export const railPackage = ({ kind, contract }: Omit<RailPackage, 'port'>): RailPackage => ({
  port: RAIL_PORT,
  kind,
  contract,
})
