import { depositTransfer } from '../../domain/ledger.ts'
import { moneyFromWire } from '../../domain/money.ts'
import { bookTransfers } from '../../storage/ledger.ts'
import { insertMerchant } from '../../admin/queries/merchants.ts'
import { inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import { jsonRows } from '../../storage/rows.ts'
import type { SecretBox } from '../../storage/secret-box.ts'
import { storeCause } from '../../storage/transfer-causes.ts'
import { nextTransferIds } from '../../storage/transfer-ids.ts'
import { giveBackWith } from './borrowed-urls.ts'
import { DEMO_MERCHANT, demoBalances, SANDBOX_PROVIDERS, SANDBOX_RATES, type SandboxProvider } from './providers.ts'

/** Where the built-in inbox listens. */
interface InboxUrls {
  readonly inboxUrl: string
  readonly handshakeUrl: string
}

/**
 * Completes the sandbox: adds what is missing, and does not change what exists.
 * @param url where the gateway listens: the demo merchant's URLs point at its inbox there, unless staff gave
 * it URLs of its own
 * @returns whether it has added the demo merchant
 */
export function seedSandbox(
  pool: Pool,
  box: SecretBox,
  url: string,
  now: Date,
  providers: readonly SandboxProvider[] = SANDBOX_PROVIDERS,
): Promise<boolean> {
  const urls = { inboxUrl: `${url}/sandbox/inbox`, handshakeUrl: `${url}/sandbox/inbox/handshake` }
  return inTransaction(pool, async (client) => {
    await client.query('lock table providers in exclusive mode') // two processes may start at the same moment
    await addProviders(client, providers)
    await addRates(client, now)
    const isNew = await addDemoMerchant(client, box, urls, { now, balances: demoBalances(providers) })
    // A borrower that is still alive borrows them again.
    await giveBackWith(client)
    await pointDemoMerchantAtInbox(client, urls)
    return isNew
  })
}

async function addProviders(client: Queryable, providers: readonly SandboxProvider[]): Promise<void> {
  await client.query(
    `insert into providers (code, name, method, currency, calling_code, prefixes, requires_otp)
     select code, name, method, currency, calling_code, array(select json_array_elements_text(prefixes)), requires_otp
     from json_to_recordset($1) as r(code text, name text, method text, currency text, calling_code text, prefixes json, requires_otp boolean) on conflict do nothing`,
    [
      jsonRows(
        providers.map(({ callingCode, requiresOtp, ...provider }) => ({
          ...provider,
          calling_code: callingCode,
          requires_otp: requiresOtp ?? false,
        })),
      ),
    ],
  )
  await client.query(
    `insert into payment_options (provider_code, transaction_type, min_amount_minor, max_amount_minor, max_daily_amount_minor, charge_bps, charge_flat_minor)
     select provider_code, transaction_type, min, max, daily, charge_bps, charge_flat
     from json_to_recordset($1) as r(provider_code text, transaction_type text, min bigint, max bigint, daily bigint, charge_bps int, charge_flat bigint) on conflict do nothing`,
    [jsonRows(providers.flatMap(optionRows))],
  )
  await client.query(
    `insert into banks (provider_code, bank_code, bank_name)
     select provider_code, bank_code, bank_name from json_to_recordset($1) as r(provider_code text, bank_code text, bank_name text) on conflict do nothing`,
    [
      jsonRows(
        providers.flatMap(({ code: provider_code, banks = [] }) =>
          banks.map(([bank_code, bank_name]) => ({ provider_code, bank_code, bank_name })),
        ),
      ),
    ],
  )
}

async function addRates(client: Queryable, now: Date): Promise<void> {
  for (const { from, to, rate } of SANDBOX_RATES)
    await client.query(
      `insert into exchange_rates (from_currency, to_currency, rate, updated_at) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [from, to, rate, now],
    )
}

function optionRows({ code, currency, min, max, daily, ...charges }: SandboxProvider) {
  const minor = (amount: number) => moneyFromWire(amount, currency).amountMinor
  const limits = { provider_code: code, min: minor(min), max: minor(max), daily: minor(daily) }
  const { collectionChargeBps, payoutChargeBps, collectionChargeFlat = 0, payoutChargeFlat = 0 } = charges
  return [
    {
      ...limits,
      transaction_type: 'COLLECTION',
      charge_bps: collectionChargeBps,
      charge_flat: minor(collectionChargeFlat),
    },
    { ...limits, transaction_type: 'PAYOUT', charge_bps: payoutChargeBps, charge_flat: minor(payoutChargeFlat) },
  ]
}

async function addDemoMerchant(
  client: Queryable,
  box: SecretBox,
  { inboxUrl, handshakeUrl }: InboxUrls,
  { now, balances }: { readonly now: Date; readonly balances: ReadonlyMap<string, number> },
): Promise<boolean> {
  const {
    rows: [existing],
  } = await client.query<{ id: bigint }>('select id from merchants where public_key = $1', [
    DEMO_MERCHANT.keys.publicKey,
  ])
  if (existing) return false
  const id = await insertMerchant(
    client,
    box,
    {
      ...DEMO_MERCHANT,
      sandboxOnly: true,
      collectionCallbackUrl: inboxUrl,
      payoutCallbackUrl: inboxUrl,
      refundCallbackUrl: inboxUrl,
      verificationUrl: handshakeUrl,
    },
    now,
  )
  const deposits = [...balances].map(([currency, amount]) =>
    depositTransfer(id, currency, moneyFromWire(amount, currency).amountMinor),
  )
  const transferIds = await nextTransferIds(client, deposits.length, now)
  await bookTransfers(client, deposits, now, transferIds)
  await storeCause(client, transferIds, { kind: 'demo_balance' })
  return true
}

// Only moves URLs that look like an earlier start's inbox: a URL that staff set does not change.
async function pointDemoMerchantAtInbox(client: Queryable, { inboxUrl, handshakeUrl }: InboxUrls): Promise<void> {
  await client.query(
    `update merchants set
       collection_callback_url = case when collection_callback_url ~ $2 then $3 else collection_callback_url end,
       payout_callback_url = case when payout_callback_url ~ $2 then $3 else payout_callback_url end,
       refund_callback_url = case when refund_callback_url ~ $2 then $3 else refund_callback_url end,
       verification_url = case when verification_url ~ $2 then $4 else verification_url end
     where public_key = $1 and (collection_callback_url is distinct from $3 or payout_callback_url is distinct from $3 or refund_callback_url is distinct from $3 or verification_url is distinct from $4)`,
    [DEMO_MERCHANT.keys.publicKey, '^https?://[^/]+/sandbox/inbox(/handshake)?$', inboxUrl, handshakeUrl],
  )
}
