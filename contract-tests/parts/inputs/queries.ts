import { fieldsOf, type Fields } from '../../harness/json.ts'
import type { ExpectedReply } from '../limits/act.ts'
import { getRequest, type ApiReply } from '../limits/requests.ts'
import type { LimitsFixture } from '../limits/scene.ts'
import { inTurns } from './texts.ts'

const SOURCE =
  'docs, page "What the original description leaves open": an unknown query parameter is ignored, an empty optional one too'
const PROVIDERS = '/data/payment-providers'
const WALLETS = '/data/wallet-balances'
const BANKS = '/data/payout-bank-codes'

const missing = (name: string): ExpectedReply => ({ status: 400, message: `${name} is required` })
/** Names that are none, although they look like one. */
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

/** A parameter has its name, letter for letter; what is required is there, and what is not may be empty. */
export async function queries(scene: LimitsFixture): Promise<void> {
  const rows: readonly (readonly [about: string, path: string, ExpectedReply])[] = [
    ...OTHER_NAMES.map(
      (name) =>
        ['listPaymentProviders', `${PROVIDERS}?${name}=UGX&transaction_type=PAYOUT`, missing('currency')] as const,
    ),
    ...['Transaction_type', 'transactionType', 'transaction-type', 'type'].map(
      (name) =>
        ['listPaymentProviders', `${PROVIDERS}?currency=UGX&${name}=PAYOUT`, missing('transaction_type')] as const,
    ),
    ...['', '%20', '&'].map(
      (value) =>
        [
          'listPaymentProviders',
          `${PROVIDERS}?currency=${value}&transaction_type=PAYOUT`,
          value === '%20' ? { status: 400, message: /^currency / } : missing('currency'),
        ] as const,
    ),
    ['listPayoutBanks', `${BANKS}?Provider_code=bank_ng`, missing('provider_code')],
    ['listPayoutBanks', `${BANKS}?provider=bank_ng`, missing('provider_code')],
  ]
  await inTurns(rows, async ([about, path, expected]) => {
    const act = scene.act('a query')
    const reply = await act.send(getRequest(scene.target, path))
    act.expect(
      about,
      reply,
      expected,
      'query: another name, or nothing, is taken for a parameter',
      `${SOURCE}; ${path}`,
    )
  })
  await wallets(scene)
  await otherCurrencies(scene)
}

/** Without a currency all wallets are shown, with one those that have it. */
async function wallets(scene: LimitsFixture): Promise<void> {
  const sendRequest = async (query: string): Promise<ApiReply> => {
    const request = getRequest(scene.target, `${WALLETS}${query}`, { 'secret-key': scene.target.secretKey })
    return scene.act('wallets').send(request)
  }
  const act = scene.act('wallets')
  const all = await sendRequest('')
  for (const query of ['?currency=', ...OTHER_NAMES.map((name) => `?${name}=KES`)]) {
    const reply = await sendRequest(query)
    const rule = 'query: a parameter that is not there is read'
    act.expect('listWalletBalances', reply, { status: 200 }, rule, `${SOURCE}; ${query}`)
    const what = `${WALLETS}${query} shows other wallets than without a query (${SOURCE})`
    act.hold('listWalletBalances', walletsIn(all) === walletsIn(reply), rule, what)
  }
  for (const code of new Set([...listIn(all, 'merchant_wallets').map(({ currency }) => String(currency)), 'XAF'])) {
    const one = scene.act(`wallets of ${code}`)
    const query = `?currency=${code}`
    const reply = await one.send(
      getRequest(scene.target, `${WALLETS}${query}`, { 'secret-key': scene.target.secretKey }),
    )
    const wanted = listIn(all, 'merchant_wallets').filter(({ currency }) => currency === code)
    const what = `${WALLETS}${query} shows other wallets than those of ${code} without a query`
    one.hold('listWalletBalances', walletsOf(wanted) === walletsIn(reply), 'query: wallets of a currency', what)
  }
}

/** No provider is listed for a currency that is not its own. */
async function otherCurrencies(scene: LimitsFixture): Promise<void> {
  const rows = ['USD', 'EUR', 'XAF', 'KES'].flatMap((code) =>
    ['COLLECTION', 'PAYOUT'].map((type) => [code, type] as const),
  )
  await inTurns(rows, async ([code, type]) => {
    const act = scene.act('providers of a currency')
    const reply = await act.send(getRequest(scene.target, `${PROVIDERS}?currency=${code}&transaction_type=${type}`))
    const rule = 'query: providers of a currency'
    act.expect('listPaymentProviders', reply, { status: 200 }, rule, SOURCE)
    const others = listIn(reply, 'payment_providers').filter((each) => each.transaction_currency !== code)
    const what = `${String(others[0]?.provider_code)} of ${String(others[0]?.transaction_currency)} is listed for ${code}`
    act.hold('listPaymentProviders', others.length === 0, rule, what)
  })
}

const listIn = ({ data }: ApiReply, name: string): readonly Fields[] => {
  const { [name]: list } = data
  return Array.isArray(list) ? list.map(fieldsOf) : []
}

const walletsOf = (wallets: readonly Fields[]): string =>
  JSON.stringify(wallets.map((wallet) => [wallet.wallet_type, wallet.currency]))
const walletsIn = (reply: ApiReply): string => walletsOf(listIn(reply, 'merchant_wallets'))
