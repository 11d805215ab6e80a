import type { RailKind } from '../../rails/rail-kind.ts'
import { RAIL_KINDS, railKind } from '../../rails/registry.ts'
import { listRailAccounts, type RailAccountView } from '../queries/rail-accounts.ts'
import { MALIPO } from './called-as.ts'
import type { Context } from './database.ts'
import { notFound, usedWrongly } from './errors.ts'

/** All kinds of rails, for help and messages. */
export const KINDS = RAIL_KINDS.map(({ name }) => name).join(', ')

/** @throws CliError when there is none, or this version does not know its kind */
export async function railAccountNamed(
  { pool }: Context,
  name: string,
): Promise<{ railAccount: RailAccountView; kind: RailKind }> {
  const [railAccount] = await listRailAccounts(pool, name)
  if (!railAccount) throw notFound(`malipo: there is no rail account ${name}.\nSee them all: ${MALIPO} rail list`)
  return { railAccount, kind: kindNamed(railAccount.rail) }
}

/** @throws CliError that names the known kinds */
export function kindNamed(name: string): RailKind {
  const kind = railKind(name)
  if (!kind) throw usedWrongly(`malipo: there is no kind of rail ${name}: there are ${KINDS}`)
  return kind
}
