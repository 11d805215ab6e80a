import { WalletFilled, WalletTooLow } from '../../../actions/ports/store.ts'
import type { WalletBalance } from '../../../actions/ports/ledger.ts'
import { accountName, type AccountKey, type Transfer, type TransferKind } from '../../../domain/ledger.ts'
import type { TransferRow, MemoryWorld } from './world.ts'
import { duplicate, refused } from './violation.ts'

interface BalanceChange {
  readonly key: AccountKey
  readonly byMinor: bigint
}

/** The bookings that a unit makes when it commits. */
export class Booking {
  private readonly tables: MemoryWorld
  private readonly transfers: { readonly transfer: Transfer; readonly now: Date }[] = []
  private readonly atMost: WalletBalance[] = []
  private moved: ReadonlyMap<string, BalanceChange> = new Map()

  constructor(tables: MemoryWorld) {
    this.tables = tables
  }

  add(transfers: readonly Transfer[], now: Date): void {
    for (const transfer of transfers) if (transfer.entries.length > 0) this.transfers.push({ transfer, now })
  }

  holdsAtMost(balances: readonly WalletBalance[]): void {
    this.atMost.push(...balances)
  }

  isEmpty(): boolean {
    return this.transfers.length === 0
  }

  /** Checks in the order of PostgreSQL: a transfer that is both duplicate and not covered fails as not covered. */
  check(): void {
    const { accounts, transferKeys } = this.tables
    for (const { wallet, balanceMinor } of this.atMost)
      if ((accounts.get(accountName(wallet))?.balanceMinor ?? 0n) > balanceMinor) throw new WalletFilled()
    if (this.isEmpty()) return
    this.moved = movements(this.transfers.map(({ transfer }) => transfer))
    for (const [name, { key, byMinor }] of this.moved) {
      if ((accounts.get(name)?.balanceMinor ?? 0n) + byMinor < 0n && key.kind !== 'rail' && key.kind !== 'operator')
        throw new WalletTooLow(refused(name))
    }
    const keys = new Set<string>()
    for (const { transfer } of this.transfers) {
      checkBalanced(transfer)
      const key = transferKey(transfer)
      if (key !== undefined && (transferKeys.has(key) || keys.has(key))) throw duplicate(`transfer ${key}`)
      if (key !== undefined) keys.add(key)
    }
  }

  apply(): void {
    if (this.isEmpty()) return
    for (const { transfer, now } of this.transfers) this.store(transfer, now)
    for (const [name, { key, byMinor }] of this.moved) {
      const before = this.tables.accounts.get(name)
      this.tables.accounts.set(name, {
        id: before?.id ?? this.tables.nextId(),
        key,
        balanceMinor: (before?.balanceMinor ?? 0n) + byMinor,
      })
    }
  }

  private store({ kind, transactionId, entries }: Transfer, createdAt: Date): void {
    const row: TransferRow = { id: this.tables.nextId(), kind, transactionId, createdAt, entries }
    this.tables.transfers.push(row)
    if (transactionId === undefined) return
    this.tables.transferKeys.add(keyOf(kind, transactionId))
    if (kind === 'collection') this.tables.collections.set(transactionId, row)
  }
}

const transferKey = ({ kind, transactionId }: Pick<TransferRow, 'kind' | 'transactionId'>): string | undefined =>
  transactionId === undefined ? undefined : keyOf(kind, transactionId)
const keyOf = (kind: TransferKind, transactionId: bigint): string => `${kind}:${transactionId}`

function movements(transfers: readonly Transfer[]): Map<string, BalanceChange> {
  const moved = new Map<string, BalanceChange>()
  for (const { entries } of transfers) {
    for (const { account, amountMinor } of entries) {
      const name = accountName(account)
      moved.set(name, { key: account, byMinor: (moved.get(name)?.byMinor ?? 0n) + amountMinor })
    }
  }
  return moved
}

function checkBalanced({ kind, entries }: Transfer): void {
  if (entries.some(({ amountMinor }) => amountMinor === 0n)) throw refused(`an entry of ${kind} moves nothing`)
  if (entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) !== 0n)
    throw refused(`${kind} does not sum to zero`)
  if (new Set(entries.map(({ account }) => account.currency)).size > 1) throw refused(`${kind} mixes currencies`)
}
