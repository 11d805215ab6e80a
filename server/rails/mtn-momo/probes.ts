import { fieldAt, textOf } from '../foreign-fields.ts'
import { askingAt, unusedId, unusedUuid, type Probe, type ProbedFact, type ProbeList } from '../probe.ts'
import type { RailWorld } from '../rail-kind.ts'
import { ACCOUNTS } from './accounts.ts'
import { codeIn } from './calls.ts'
import { PRODUCTS, type Credentials, type MtnSettings, type Product } from './settings.ts'

interface Products {
  readonly settings: MtnSettings
  readonly world: RailWorld
  /** By product: that of the last token call. */
  readonly tokens: Map<Product, string>
}

/** Documented: the amount does not matter in MTN's sandbox; this number rejects. */
const REJECTING = '46733123451'

/** All of them read, but for payments of a test number, in MTN's sandbox. */
export function probesOf(settings: MtnSettings, world: RailWorld, account: string | undefined): ProbeList {
  const all: Products = { settings, world, tokens: new Map() }
  const probes = PRODUCTS.flatMap((product) => {
    const credentials = settings.credentials[product]
    return credentials ? probesOfProduct(all, product, credentials, account) : []
  })
  const { collection, disbursement } = settings.credentials
  if (collection && disbursement)
    probes.push({
      what: 'the balance of disbursements with the token of collections',
      statuses: [401],
      facts: [OWN_TOKENS],
      ask: () => asking(all, 'disbursement', disbursement)('GET', BALANCE.disbursement, {}, 'collection'),
    })
  if (collection && settings.targetEnvironment === 'sandbox') probes.push(...inSandbox(all, collection))
  return { probes, codeIn: (said) => codeIn(said) }
}

const BALANCE = {
  collection: '/collection/v1_0/account/balance',
  disbursement: '/disbursement/v1_0/account/balance',
} as const
const STATUS = { collection: '/collection/v1_0/requesttopay', disbursement: '/disbursement/v1_0/transfer' } as const

/** Calls of one product with its own credentials. @param by whose token goes along */
function asking({ settings, world, tokens }: Products, product: Product, { subscriptionKey }: Credentials) {
  const ask = askingAt(world, settings.baseUrl)
  const own = { 'Ocp-Apim-Subscription-Key': subscriptionKey, 'X-Target-Environment': settings.targetEnvironment }
  return (
    method: 'GET' | 'POST',
    path: string,
    instead: Readonly<Record<string, string>> = {},
    by: Product = product,
    body?: object,
  ) => ask(method, path, { ...own, authorization: `Bearer ${tokens.get(by) ?? ''}`, ...instead }, body)
}

function probesOfProduct(
  all: Products,
  product: Product,
  credentials: Credentials,
  account: string | undefined,
): readonly Probe[] {
  const { settings, world } = all
  const call = asking(all, product, credentials)
  const name = ACCOUNTS[product]
  const now = world.clock.now()
  const status = settings.payoutCall === 'deposit' && product === 'disbursement' ? DEPOSIT : STATUS[product]
  const ofNumber: Probe = {
    what: `whether the number is active, for ${name}`,
    statuses: [200],
    facts: [ACTIVE],
    ask: () => call('GET', `/${product}/v1_0/accountholder/msisdn/${account}/active`),
  }
  return [
    ...ofTokens(all, product, credentials),
    {
      what: `the balance of ${name} in an environment that is none`,
      statuses: [500],
      facts: [ENVIRONMENT],
      ask: () => call('GET', BALANCE[product], { 'X-Target-Environment': 'nowhere' }),
    },
    {
      what: `an order of ${name} that nobody made`,
      statuses: [404],
      facts: [NOT_FOUND],
      ask: () => call('GET', `${status}/${unusedUuid(now, product)}`),
    },
    ...(account === undefined ? [] : [ofNumber]),
  ]
}

function ofTokens(all: Products, product: Product, credentials: Credentials): readonly Probe[] {
  const { world, tokens } = all
  const call = asking(all, product, credentials)
  const name = ACCOUNTS[product]
  const basic = `Basic ${Buffer.from(`${credentials.apiUser}:${credentials.apiKey}`).toString('base64')}`
  const newToken = () => call('POST', `/${product}/token/`, { authorization: basic })
  return [
    {
      what: `a token for ${name}`,
      statuses: [200],
      facts: [LIFETIME],
      async ask() {
        const reply = await newToken()
        tokens.set(product, textOf(fieldAt(reply.said, 'access_token')) ?? '')
        return reply
      },
    },
    { what: `a second token for ${name}`, statuses: [200], ask: newToken },
    {
      what: `the balance of ${name} with the first token`,
      statuses: [200],
      facts: [BOTH_TOKENS, DECIMALS],
      ask: () => call('GET', BALANCE[product]),
    },
    {
      what: `the balance of ${name} with a token that was never given`,
      statuses: [401],
      ask: () => call('GET', BALANCE[product], { authorization: `Bearer ${unusedId(world.clock.now(), product)}` }),
    },
  ]
}

const DEPOSIT = '/disbursement/v1_0/deposit'

/** The same payment twice: the number rejects it, in the sandbox where nothing is real. */
function inSandbox(all: Products, credentials: Credentials): readonly Probe[] {
  const call = asking(all, 'collection', credentials)
  const id = unusedUuid(all.world.clock.now(), 'payment')
  const pay = (currency: string, by = id) =>
    call('POST', STATUS.collection, { 'X-Reference-Id': by }, 'collection', {
      amount: '1',
      currency,
      externalId: 'probe',
      payer: { partyIdType: 'MSISDN', partyId: REJECTING },
      payerMessage: 'probe',
      payeeNote: 'probe',
    })
  const isSandboxOnly = true as const
  return [
    { what: 'a payment of a test number', isSandboxOnly, statuses: [202], ask: () => pay('EUR') },
    {
      what: 'the same payment again',
      isSandboxOnly,
      statuses: [409],
      facts: [ID_AGAIN],
      ask: () => pay('EUR'),
    },
    {
      what: 'a payment of a test number in another currency',
      isSandboxOnly,
      statuses: [500],
      facts: [EURO],
      ask: () => pay('UGX', unusedUuid(all.world.clock.now(), 'currency')),
    },
  ]
}

const codeIs =
  (expected: string): ProbedFact['otherwise'] =>
  ({ said }) =>
    codeIn(said) === expected ? undefined : `the code is not ${expected}`

const LIFETIME: ProbedFact = {
  fact: 'The lifetime of a token is 3600 seconds, as a number.',
  otherwise({ said }) {
    const lifetime = fieldAt(said, 'expires_in')
    return lifetime === 3600 ? undefined : `expires_in is the ${typeof lifetime} ${Number(lifetime)}`
  },
}

const BOTH_TOKENS: ProbedFact = {
  fact: 'A token is renewed about ten minutes before it ends. It is never asked for per transaction. A second token before the first one ends is allowed, and both are good.',
  otherwise: ({ status }) => (status === 401 ? 'the second token ended the first' : undefined),
}

const DECIMALS: ProbedFact = {
  fact: 'A balance is a decimal number as a text, with its currency.',
  otherwise({ said }) {
    const [balance, currency] = ['availableBalance', 'currency'].map((name) => fieldAt(said, name))
    if (typeof balance !== 'string' || !/^-?\d+(\.\d+)?$/.test(balance)) return 'it is no decimal number as a text'
    return typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? undefined : 'it has no currency'
  },
}

const ENVIRONMENT: ProbedFact = {
  fact: 'An X-Target-Environment that the API user may not use is refused with NOT_ALLOWED_TARGET_ENVIRONMENT.',
  otherwise: codeIs('NOT_ALLOWED_TARGET_ENVIRONMENT'),
}

const NOT_FOUND: ProbedFact = {
  fact: 'An id that was never used is answered with 404 and RESOURCE_NOT_FOUND.',
  otherwise: codeIs('RESOURCE_NOT_FOUND'),
}

const OWN_TOKENS: ProbedFact = {
  fact: 'Each product (`collection`, `disbursement`, `remittance`) has its own subscription key, API user, API key and token.',
  otherwise: ({ status }) => (status === 200 ? 'the token of collections was good for disbursements' : undefined),
}

const ACTIVE: ProbedFact = {
  fact: 'The answer was seen as an object, as a bare `true` and as the text `"true"`.',
  otherwise({ said }) {
    const result = fieldAt(said, 'result') ?? said
    return ['true', 'false'].includes(String(result)) ? undefined : 'it is none of them'
  },
}

const ID_AGAIN: ProbedFact = {
  fact: 'The reference id is ours, chosen before the call. Sent again it gives 409: the first try arrived, and its status is asked for.',
  otherwise: ({ status }) => (status === 409 ? undefined : `HTTP ${status}`),
}

const EURO: ProbedFact = {
  fact: 'The sandbox takes EUR only.',
  otherwise: codeIs('INVALID_CURRENCY'),
}
