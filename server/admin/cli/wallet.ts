import { InvalidArgumentError, type Command } from 'commander'
import { amountText, formatMoney, moneyText } from '../../domain/money.ts'
import type { WalletPurpose } from '../../domain/wallet-transfer.ts'
import type { MerchantView } from '../queries/merchants.ts'
import { actualMinor, movementRecord, walletRecord, walletViews } from '../queries/wallet-record.ts'
import { merchantWallets, type WalletView } from '../queries/wallets.ts'
import { minorFromText } from '../operations/amount.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseCurrency } from './command.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { depositToWallet, transferBetweenWallets } from '../operations/move-money.ts'
import { withDatabase, type Context } from './database.ts'
import { print, printJson, printTable, shortTime } from './output.ts'
import { parseReferenceLine } from './staff-line.ts'
import { runChange } from './run-change.ts'
import { addStaffAction, type StaffOptions } from './staff-action.ts'

const MERCHANT = 'public key or id'
/** @throws InvalidArgumentError */
const parseReference = parseReferenceLine({ min: 1, max: 100 })
const REFERENCE = "your own name for this movement, for example the bank's: it is booked once, whichever the merchant"

interface BookingOptions extends StaffOptions {
  readonly reference: string
}
interface TransferOptions extends BookingOptions {
  readonly from: WalletPurpose
  readonly to: WalletPurpose
}

export function define(group: Command): void {
  addExamples(group, `${MALIPO} wallet show pub_sandbox_demo`)
  addLeaf(
    group,
    'show',
    "show a merchant's wallets, and the latest deposits and transfers by staff",
    `${MALIPO} wallet show pub_sandbox_demo`,
    `${MALIPO} wallet show 2 --currency UGX --json`,
  )
    .argument('<merchant>', MERCHANT)
    .option('--currency <code>', 'only of this currency, for example UGX', parseCurrency)
    .action(show)
  addStaffAction(
    group,
    'deposit',
    'deposit money that the merchant paid by bank into its payout wallet',
    `${MALIPO} wallet deposit 2 UGX 1500000 --reference FT26324XK81 --reason "Bank transfer of 20 November"`,
  )
    .argument('<merchant>', MERCHANT)
    .argument('<currency>', 'for example UGX', parseCurrency)
    .argument('<amount>', 'in major units, for example 5000 or 10.50')
    .requiredOption('--reference <text>', REFERENCE, parseReference)
    .action(deposit)
  addStaffAction(
    group,
    'transfer',
    "move available money between a merchant's two wallets",
    `${MALIPO} wallet transfer 2 UGX 250000 --from collection --to payout --reference MOVE-17 --reason "Payouts of Friday"`,
  )
    .argument('<merchant>', MERCHANT)
    .argument('<currency>', 'for example UGX', parseCurrency)
    .argument('<amount>', 'in major units, for example 5000 or 10.50')
    .requiredOption('--from <wallet>', 'collection or payout', parsePurpose)
    .requiredOption('--to <wallet>', 'the other one', parsePurpose)
    .requiredOption('--reference <text>', REFERENCE, parseReference)
    .action(transfer)
}

function parsePurpose(text: string): WalletPurpose {
  const purpose = (['collection', 'payout'] as const).find((name) => name === text.toLowerCase())
  if (!purpose) throw new InvalidArgumentError('It must be collection or payout.')
  return purpose
}

async function show(name: string, { currency, json }: { currency?: string; json?: true }): Promise<void> {
  const { merchant, wallets, movements } = await withDatabase(async (context) => {
    const merchant = await merchantNamed(context, name)
    const { wallets, movements } = await walletViews(context.pool, merchant.id)
    const wanted = <Row extends { readonly currency: string }>(rows: readonly Row[]) =>
      rows.filter((row) => currency === undefined || row.currency === currency)
    return { merchant, wallets: wanted(wallets), movements: wanted(movements) }
  })
  if (json)
    return printJson({
      merchant_public_key: merchant.public_key,
      wallets: wallets.map(walletRecord),
      operator_transfers: movements.map(movementRecord),
    })
  const amount = (of: (row: WalletView) => bigint) => (row: WalletView) =>
    moneyText({ amountMinor: of(row), currency: row.currency })
  printTable(
    wallets,
    [
      { title: 'CURRENCY', of: (row) => row.currency },
      { title: 'WALLET', of: ({ purpose }) => purpose },
      { title: 'AVAILABLE', of: amount((row) => row.available_minor), align: 'right' },
      { title: 'UNCLEARED', of: amount((row) => row.uncleared_minor), align: 'right' },
      { title: 'RESERVE', of: amount((row) => row.reserve_minor), align: 'right' },
      { title: 'ACTUAL', of: amount(actualMinor), align: 'right' },
      { title: 'HELD', of: amount((row) => row.held_minor), align: 'right' },
    ],
    `${merchant.name} has no wallet${currency === undefined ? '' : ` in ${currency}`}.`,
  )
  if (movements.length === 0) return
  print('')
  printTable(
    movements,
    [
      { title: 'TRANSFER', of: ({ transfer_id }) => transfer_id, align: 'right' },
      { title: 'AT', of: ({ at }) => shortTime(at) },
      { title: 'KIND', of: ({ kind }) => kind },
      { title: 'INTO', of: ({ into }) => into },
      {
        title: 'AMOUNT',
        of: (row) => moneyText({ amountMinor: row.amount_minor, currency: row.currency }),
        align: 'right',
      },
      { title: 'REFERENCE', of: ({ reference }) => reference },
      { title: 'NOTE', of: ({ note }) => note, cut: true },
    ],
    '',
  )
}

async function deposit(name: string, currency: string, amount: string, options: BookingOptions): Promise<void> {
  const input = inputOf(name, currency, amount, options)
  const booked = await withDatabase(async (context) =>
    withWallets(context, currency, await runChange(context, depositToWallet, input, options)),
  )
  report(booked, `${input.amount} ${currency} is in the payout wallet of ${booked.merchant.name}`, options)
}

async function transfer(name: string, currency: string, amount: string, options: TransferOptions): Promise<void> {
  const { from, to } = options
  const input = { ...inputOf(name, currency, amount, options), from, to }
  const booked = await withDatabase(async (context) =>
    withWallets(context, currency, await runChange(context, transferBetweenWallets, input, options)),
  )
  const moved = `${input.amount} ${currency} moved from the ${from} to the ${to} wallet of ${booked.merchant.name}`
  report(booked, moved, options)
}

const inputOf = (merchant: string, currency: string, text: string, { reference, reason }: BookingOptions) => ({
  merchant,
  currency,
  amount: amountText(minorFromText(text, currency), currency),
  reference,
  reason,
})

interface BookedTransfer {
  readonly merchant: MerchantView
  readonly transferId: string
  /** Both wallets of the currency, after the booking. */
  readonly wallets: readonly WalletView[]
}

async function withWallets(
  context: Context,
  currency: string,
  { merchant_id, transfer_id: transferId }: { readonly merchant_id: string; readonly transfer_id: string },
): Promise<BookedTransfer> {
  const merchant = await merchantNamed(context, merchant_id)
  const wallets = (await merchantWallets(context.pool, merchant.id)).filter((wallet) => wallet.currency === currency)
  return { merchant, transferId, wallets }
}

function report(
  { merchant, transferId, wallets }: BookedTransfer,
  done: string,
  { json, reference }: BookingOptions,
): void {
  if (json)
    return printJson({
      merchant_public_key: merchant.public_key,
      transfer_id: BigInt(transferId),
      reference,
      wallets: wallets.map(walletRecord),
    })
  const balances = wallets
    .map(
      ({ purpose, available_minor, currency }) =>
        `${purpose} ${formatMoney({ amountMinor: available_minor, currency })}`,
    )
    .join(', ')
  print(`${done} (transfer ${transferId}).\nAvailable now: ${balances}.`)
}
