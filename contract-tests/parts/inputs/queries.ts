import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { getRequest, itemsOf, walletsRequest, type ApiReply } from '../../driver/requests.ts'

const SOURCE =
  'docs, page "What the original description leaves open": an unknown query parameter is ignored, an empty optional one too'
const PROVIDERS = '/data/payment-providers'
const BANKS = '/data/payout-bank-codes'

/** Names that only resemble a parameter. */
const OTHER_NAMES = [
  'Currency',
  'CURRENCY',
  'currency[]',
  'currency%20',
  '+currency',
  'cur',
  'currencies',
  'x-currency',
]

/** Each lacks a parameter, or has an invalid one; the rule "messages" knows which is reported first. */
const REFUSED: readonly string[] = [
  ...OTHER_NAMES.map((name) => `${PROVIDERS}?${name}=UGX&transaction_type=PAYOUT`),
  ...['Transaction_type', 'transactionType', 'transaction-type', 'type'].map(
    (name) => `${PROVIDERS}?currency=UGX&${name}=PAYOUT`,
  ),
  ...['', '%20', '&', 'ugx'].map((value) => `${PROVIDERS}?currency=${value}&transaction_type=PAYOUT`),
  `${PROVIDERS}?currency=&transaction_type=`,
  `${PROVIDERS}?transaction_type=nothing`,
  `${PROVIDERS}?transaction_type=nothing&currency=ugx`,
  `${BANKS}?Provider_code=bank_ng`,
  `${BANKS}?provider=bank_ng`,
]
/** Whether a list has another currency's items, the rule "requested items" sees. */
const OTHER_CURRENCIES = ['USD', 'EUR', 'XAF', 'KES', 'ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQR', 'STU', 'VWX', 'YZA']

/** Parameter names match exactly; a required parameter is present, an optional one may be empty. */
export async function queries(fixture: DriverFixture): Promise<void> {
  const rows = [
    ...REFUSED.map((path) => [path, 400] as const),
    ...OTHER_CURRENCIES.flatMap((code) =>
      ['COLLECTION', 'PAYOUT'].map((type) => [`${PROVIDERS}?currency=${code}&transaction_type=${type}`, 200] as const),
    ),
  ]
  await forEachOf(rows, async ([path, status]) => {
    const driver = fixture.driver('a query')
    const about = path.startsWith(BANKS) ? 'listPayoutBanks' : 'listPaymentProviders'
    const rule =
      status === 200
        ? 'query: an allowed currency is refused'
        : 'query: another name, or nothing, counts as a parameter'
    driver.expect(about, await driver.send(getRequest(fixture.target, path)), { status }, rule, `${SOURCE}; ${path}`)
  })
  await wallets(fixture)
}

/** Without a currency all wallets are listed, with one only its own. */
async function wallets(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('wallets')
  const listed = async (query: string): Promise<ApiReply> => {
    const { path, ...request } = walletsRequest(fixture.target)
    return driver.send({ ...request, path: path + query })
  }
  const namesIn = ({ data }: ApiReply, code?: string): string =>
    itemsOf(data, 'merchant_wallets')
      .filter(({ currency }) => code === undefined || currency === code)
      .map(({ wallet_type: type, currency }) => `${String(type)} ${String(currency)}`)
      .join()
  const all = await listed('')
  const codes = new Set([...itemsOf(all.data, 'merchant_wallets').map(({ currency }) => String(currency)), 'XAF'])
  const rows = [
    ...['currency=', ...OTHER_NAMES.map((name) => `${name}=KES`)].map((query) => [query, namesIn(all)] as const),
    ...[...codes].map((code) => [`currency=${code}`, namesIn(all, code)] as const),
  ]
  for (const [query, wanted] of rows) {
    const reply = await listed(`?${query}`)
    const what = `wallets with ?${query} are ${namesIn(reply) || 'none'} (${reply.status}), and ${wanted || 'none'} were expected (${SOURCE})`
    driver.hold('listWalletBalances', reply.status === 200 && namesIn(reply) === wanted, 'query: wallets', what)
  }
}
