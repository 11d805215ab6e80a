import { amountToWire } from '../../../domain/money.ts'
import { success } from '../../../http/envelope.ts'
import { bookOwnMovement as book } from '../../operations/book-own-movement.ts'
import { addRailAccount, removeRailAccount, setRailAccount } from '../../operations/change-rail-account.ts'
import { OperationRefusal, type OperationContext } from '../../operations/operation.ts'
import { railAccountNamed } from '../../operations/rail-account-named.ts'
import { accountInOrders, type RailDesk } from '../../operations/rail-desk.ts'
import {
  maskedSettings,
  OF_THE_MACHINE,
  railAccountRecord,
  railKindRecords,
} from '../../operations/rail-account-record.ts'
import { listDrift } from '../../queries/drift.ts'
import { exchangeRecord, listExchanges } from '../../queries/exchanges.ts'
import { railAccountChanges } from '../../queries/rail-account-changes.ts'
import { listRailAccounts, type RailAccountView } from '../../queries/rail-accounts.ts'
import { readRailFindings, waitingAt, type RailFindings } from '../../queries/rail-findings.ts'
import type { RailFloat } from '../../queries/rail-floats.ts'
import { changed, type AdminData, type AdminHandler, type AdminHandlers } from '../handler.ts'
import { counted, wire } from '../wire.ts'

type RailAccount = AdminData<'listRailAccounts'>['items'][number]

const CHANGES_SHOWN = 20

const floatOf = (float: RailFloat, currency: string) => ({
  operator: amountToWire(float.operator_minor, currency),
  ledger: amountToWire(float.ledger_minor, currency),
  difference: amountToWire(float.difference_minor, currency),
  unexplained: amountToWire(float.unexplained_minor, currency),
  unexplained_since: float.unexplained_since,
  available: float.float_minor === null ? undefined : amountToWire(float.float_minor, currency),
  low_below: float.float_low_minor === null ? undefined : amountToWire(float.float_low_minor, currency),
  days_left: float.days_left,
  read_at: float.read_at,
})

/** A bank account's number is a setting that is not secret. */
const withoutAccount = (what: string): string =>
  what.replace(/statement_account=[^,]*?([^,]{0,3})(?=,|$)/, 'statement_account=…$1')

type RailHandlers = Pick<
  AdminHandlers,
  | 'listRailAccounts'
  | 'showRailAccount'
  | 'listRailExchanges'
  | 'checkRailAccount'
  | 'readRailBalance'
  | 'bookOwnMovement'
  | keyof typeof CHANGES
>

const listCalls: AdminHandler<'listRailExchanges'> = async ({ context, params, query: { limit = 50 } }) => {
  const { railAccount } = await railAccountNamed(context, params.rail_account)
  const found = await listExchanges(context.pool, { railAccount: railAccount.name, limit })
  const items = found.map((exchange) => wire<AdminData<'listRailExchanges'>['items'][number]>(exchangeRecord(exchange)))
  return success(counted(items, 'exchange'), { items })
}

/** @throws OperationRefusal for a path: nobody makes a server read a file from afar */
function asRecord(settings: readonly { readonly name: string; readonly value: string }[] = []) {
  if (settings.some(({ name }) => OF_THE_MACHINE.includes(name)))
    throw new OperationRefusal('invalid', `${OF_THE_MACHINE.join(', ')} is set on the command line`)
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}

const withoutReason = <Body extends { readonly reason?: string }>({ reason: _reason, ...body }: Body) => body

/** Changes of rail accounts; their secrets are never part of a reply. */
const CHANGES = {
  listRailKinds: async () => {
    const items = railKindRecords()
    return success(counted(items, 'kind'), { items })
  },
  addRailAccount: (call) =>
    changed(call, addRailAccount, { ...withoutReason(call.body), settings: asRecord(call.body.settings) }),
  setRailAccount(call) {
    const { settings, ...body } = withoutReason(call.body)
    return changed(call, setRailAccount, { ...call.params, ...body, settings: asRecord(settings) })
  },
  removeRailAccount: (call) => changed(call, removeRailAccount, { rail_account: call.params.rail_account }),
} satisfies Partial<AdminHandlers>

const movement: AdminHandler<'bookOwnMovement'> = (call) =>
  changed(call, book, { railAccount: call.params.rail_account, ...call.body })

/** @param rails the connections of this process */
export function createRailHandlers(rails: RailDesk): RailHandlers {
  async function recordOf(
    context: OperationContext,
    row: RailAccountView,
    { floats, circuits, waiting }: RailFindings,
  ): Promise<RailAccount> {
    const state = rails.state(row.name)
    const float = floats.get(row.name)
    const circuit = circuits.get(row.name)
    return wire<RailAccount>({
      ...(await railAccountRecord(context, row)),
      circuit: circuit?.state ?? state?.circuit,
      circuit_since: circuit?.since,
      circuit_error: circuit?.last_error ?? undefined,
      next_try_at: circuit?.next_try_at ?? undefined,
      waiting_payouts: waitingAt(waiting, row.name),
      fault: state?.fault,
      down_since: row.down_since,
      float: float && floatOf(float, row.currency),
    })
  }

  const listAll: AdminHandler<'listRailAccounts'> = async ({ context }) => {
    const [rows, found] = await Promise.all([listRailAccounts(context.pool), readRailFindings(context.pool)])
    const items = await Promise.all(rows.map((row) => recordOf(context, row, found)))
    return success(counted(items, 'rail account'), { items })
  }

  const showOne: AdminHandler<'showRailAccount'> = async ({ context, params: { rail_account: name } }) => {
    const named = await railAccountNamed(context, name)
    const { pool } = context
    const [found, changes, drift] = await Promise.all([
      readRailFindings(pool),
      railAccountChanges(pool, name, CHANGES_SHOWN),
      listDrift(pool, name),
    ])
    return success(name, {
      rail_account: await recordOf(context, named.railAccount, found),
      settings: await maskedSettings(context, named),
      changes: changes.map(({ changed_at: at, changed_by: by, what }) => ({
        at: at.toISOString(),
        by,
        what: withoutAccount(what),
      })),
      drift: wire<AdminData<'showRailAccount'>['drift']>([...drift]),
    })
  }

  return {
    listRailAccounts: listAll,
    showRailAccount: showOne,
    listRailExchanges: listCalls,
    checkRailAccount: checkWith(rails),
    readRailBalance: balanceWith(rails),
    bookOwnMovement: movement,
    ...CHANGES,
  }
}

const checkWith =
  (rails: RailDesk): AdminHandler<'checkRailAccount'> =>
  async ({ context, params, body }) => {
    const { name } = (await railAccountNamed(context, params.rail_account)).railAccount
    const account = body.account === undefined ? undefined : await accountInOrders(context, name, body.account)
    const checked = (await rails.check(name, account)) ?? notConnected(rails, name)
    const ok = checked.rows.every((row) => row.ok)
    const { callbackUrl } = checked
    return success(ok ? 'It works' : 'Something does not work', {
      ok,
      checks: checked.rows.map(({ what, ok: works, detail }) => ({ what, ok: works, detail })),
      ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
    })
  }

const balanceWith =
  (rails: RailDesk): AdminHandler<'readRailBalance'> =>
  async ({ context, params }) => {
    const { name, currency } = (await railAccountNamed(context, params.rail_account)).railAccount
    const { booked, comparison } = (await rails.balance(name)) ?? notConnected(rails, name)
    const major = (minor: bigint): number => amountToWire(minor, currency)
    const ours = {
      currency,
      ledger: major(booked.ledgerMinor),
      open_in: major(booked.openInMinor),
      open_out: major(booked.openOutMinor),
    }
    if (!comparison) return success(`${name} reports no balance in ${currency}`, ours)
    const { operatorMinor, openingMinor, ledgerMinor, unexplainedMinor } = comparison
    return success(unexplainedMinor === 0n ? 'They agree' : 'They differ', {
      ...ours,
      operator: major(operatorMinor),
      opening: major(openingMinor),
      difference: major(operatorMinor - openingMinor - ledgerMinor),
      unexplained: major(unexplainedMinor),
    })
  }

/** @throws OperationRefusal with what is known about it */
function notConnected(rails: RailDesk, name: string): never {
  const { fault, circuit } = rails.state(name) ?? {}
  const why = fault ?? (circuit === 'open' ? 'the operator does not answer' : 'it is not connected here')
  throw new OperationRefusal('conflict', `${name} cannot be asked now: ${why}`)
}
