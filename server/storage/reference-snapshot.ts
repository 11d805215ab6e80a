import type { RsaSigningKey } from '../actions/ports/reference-data.ts'
import type { ExchangeRate } from '../domain/exchange.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import { optionKey } from '../domain/merchant.ts'
import type { Bank, PaymentOption } from '../domain/provider.ts'
import { OPTION, OPTIONS, toOption, type OptionRow, type RailLink, type UnlinkedOption } from './option-row.ts'
import type { Pool } from './pool.ts'
import { readRailAccounts, toRailAccount } from './rail-accounts.ts'
import { columns, type Row } from './rows.ts'
import { rsaKeyId } from './rsa-key-id.ts'
import { rsaPrivateKey } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

/** All data of the platform at one point in time: what all merchants share. */
export interface Snapshot extends RsaKeys {
  readonly options: ReadonlyMap<string, PaymentOption>
  readonly banks: ReadonlyMap<string, readonly Bank[]>
  readonly rates: ReadonlyMap<string, ExchangeRate>
  /** By name. */
  readonly railAccounts: ReadonlyMap<string, RailAccount>
}

export interface RsaPublicKey {
  /** See `rsaKeyId`. */
  readonly id: string
  readonly pem: string
}

interface RsaKeys {
  readonly rsaSigningKey: RsaSigningKey | undefined
  readonly rsaPublicKeys: readonly RsaPublicKey[]
  readonly withdrawnRsaKeys: ReadonlySet<string>
}

export interface SnapshotSource {
  readonly pool: Pool
  readonly box: SecretBox
  readonly sandbox: boolean
  /**
   * Whether this gateway is connected to the provider of an option. Absent: to all in the sandbox, whose operators are
   * simulated, and to none in live mode.
   */
  readonly hasRail?: (option: UnlinkedOption, railAccount: RailAccount | undefined) => boolean
  /** See `PaymentOption`. */
  readonly amountStepOf?: (railAccount: RailAccount) => bigint | undefined
}

interface RateRow {
  readonly from_currency: string
  readonly to_currency: string
  readonly rate: string
}
interface RsaKeyRow {
  readonly public_pem: string
  /** Null: the key was withdrawn, and only its public half is left, for its id. */
  readonly sealed_private_pem: Uint8Array | null
}

const BANK = columns<Bank>({ providerCode: 'text', bankCode: 'text', bankName: 'text', isActive: 'boolean' })

async function readRows(pool: Pool) {
  const [options, banks, rates, rsa, railAccounts] = await Promise.all([
    pool.query<OptionRow>(
      `select ${OPTION.names()} from ${OPTIONS} order by currency, provider_code, transaction_type`,
    ),
    pool.query<Row<Bank>>(`select ${BANK.names()} from banks order by provider_code, bank_name`),
    pool.query<RateRow>('select from_currency, to_currency, rate::text from exchange_rates'),
    pool.query<RsaKeyRow>('select public_pem, sealed_private_pem from rsa_keys order by id desc'),
    readRailAccounts(pool),
  ])
  return { options: options.rows, banks: banks.rows, rates: rates.rows, rsa: rsa.rows, railAccounts }
}

function linkOf(
  option: UnlinkedOption,
  railAccount: RailAccount | undefined,
  { hasRail, amountStepOf }: Required<Pick<SnapshotSource, 'hasRail' | 'amountStepOf'>>,
): RailLink {
  const amountStepMinor = railAccount && amountStepOf(railAccount)
  return {
    hasRail: hasRail(option, railAccount),
    ...(amountStepMinor !== undefined && { amountStepMinor }),
    ...(railAccount?.downSince && { isDown: true }),
    ...(railAccount?.settings['inactive_while_down'] === 'no' && { isShownWhileDown: true }),
  }
}

/**
 * Reads all of it at once.
 * @throws WrongMasterKey when a secret does not open
 */
export async function readSnapshot(source: SnapshotSource): Promise<Snapshot> {
  const { pool, box, sandbox, hasRail = () => sandbox, amountStepOf = () => undefined } = source
  const { options, banks, rates, rsa, railAccounts } = await readRows(pool)
  const open = new Map(railAccounts.map((row) => [row.name, toRailAccount(box, row)]))
  return {
    options: new Map(
      options
        .map((row) =>
          toOption(row, (option) => linkOf(option, open.get(option.railAccount ?? ''), { hasRail, amountStepOf })),
        )
        .map((option) => [optionKey(option.providerCode, option.type), option]),
    ),
    banks: Map.groupBy(banks.map(BANK.toFields), ({ providerCode }) => providerCode),
    rates: new Map(
      rates.map(({ from_currency, to_currency, rate }) => [
        `${from_currency}:${to_currency}`,
        { from: from_currency, to: to_currency, rate },
      ]),
    ),
    railAccounts: open,
    ...openRsaKeys(box, rsa),
  }
}

/** @param rows newest first: the newest signs */
function openRsaKeys(box: SecretBox, rows: readonly RsaKeyRow[]): RsaKeys {
  const named = rows.map(({ public_pem: pem, sealed_private_pem: sealed }) => ({ id: rsaKeyId(pem), pem, sealed }))
  const served = named.filter(({ sealed }) => sealed)
  const [newest] = served
  return {
    rsaSigningKey: newest?.sealed
      ? { id: newest.id, privatePem: box.open(newest.sealed, rsaPrivateKey(newest.pem)) }
      : undefined,
    rsaPublicKeys: served.map(({ id, pem }) => ({ id, pem })),
    withdrawnRsaKeys: new Set(named.filter(({ sealed }) => !sealed).map(({ id }) => id)),
  }
}
