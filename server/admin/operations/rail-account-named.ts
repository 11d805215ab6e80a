import type { RailKind } from '../../rails/rail-kind.ts'
import { RAIL_KINDS, railKind } from '../../rails/registry.ts'
import { listRailAccounts, type RailAccountView } from '../queries/rail-accounts.ts'
import { OperationRefusal, type OperationContext } from './operation.ts'

export interface NamedRailAccount {
  readonly railAccount: RailAccountView
  readonly kind: RailKind
}

/** All kinds of rails, for help and messages. */
export const kindNames = (): string => RAIL_KINDS.map(({ name }) => name).join(', ')

/** @throws OperationRefusal when there is none, or this version does not know its kind */
export async function railAccountNamed(
  { pool }: Pick<OperationContext, 'pool'>,
  name: string,
): Promise<NamedRailAccount> {
  const [railAccount] = await listRailAccounts(pool, name)
  if (!railAccount)
    throw new OperationRefusal('not_found', `there is no rail account ${name}`, 'See them all: malipo rail list')
  return { railAccount, kind: kindNamed(railAccount.rail) }
}

/** A list without a row may be that of a misspelt name. @throws OperationRefusal */
export async function refuseUnknownRail(
  context: Pick<OperationContext, 'pool'>,
  name: string | undefined,
  found: readonly unknown[],
): Promise<void> {
  if (name !== undefined && found.length === 0) await railAccountNamed(context, name)
}

/** @throws OperationRefusal that names the known kinds */
export function kindNamed(name: string): RailKind {
  const kind = railKind(name)
  if (!kind) throw new OperationRefusal('invalid', `there is no kind of rail ${name}: there are ${kindNames()}`)
  return kind
}
