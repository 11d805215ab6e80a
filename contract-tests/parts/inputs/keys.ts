import type { WireRequest } from '../../harness/proxy.ts'
import type { ExpectedReply } from '../../driver/payment-driver.ts'
import { getRequest, walletsRequest, postRequest } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { KINDS } from './input-requests.ts'
import { inTurns } from './texts.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

const SOURCE = 'the contract: public-key and secret-key are headers, and nothing else'
const NOT_VALID: ExpectedReply = { status: 401, message: refusal('keys_wrong') }
const LOOKUP = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'

type Header = 'public-key' | 'secret-key'
interface KeyCase {
  readonly about: string
  readonly keys: readonly Header[]
  readonly make: (fixture: DriverFixture) => WireRequest
}

const WALLETS: KeyCase = {
  about: 'listWalletBalances',
  keys: ['public-key', 'secret-key'],
  make: ({ target }) => walletsRequest(target),
}
const REQUESTED: readonly KeyCase[] = [
  { about: 'listPaymentProviders', keys: ['public-key'], make: ({ target }) => getRequest(target, LOOKUP) },
  WALLETS,
  {
    about: 'initializeCollection',
    keys: ['public-key'],
    make: (fixture) => postRequest(fixture.target, 'initializeCollection', KINDS['a collection'](fixture.driver(''))),
  },
  {
    about: 'sendFunds',
    keys: ['public-key', 'secret-key'],
    make: (fixture) => postRequest(fixture.target, 'sendFunds', KINDS['a payout'](fixture.driver(''))),
  },
]

/** Other places where a client might put a key. */
const ELSEWHERE: Readonly<Record<string, (request: WireRequest, name: Header, key: string) => WireRequest>> = {
  'in the query': (request, name, key) => ({
    ...request,
    path: `${request.path}${request.path.includes('?') ? '&' : '?'}${name}=${key}&${under(name)}=${key}`,
  }),
  'in the body': (request, name, key) => ({
    ...request,
    body:
      request.body.length > 0
        ? Buffer.from(request.body.toString().replace(/\}$/, `,"${name}":"${key}","${under(name)}":"${key}"}`))
        : request.body,
  }),
  'in a cookie': (request, name, key) => withHeader(request, 'cookie', `${name}=${key}; ${under(name)}=${key}`),
  'as a bearer token': (request, _name, key) => withHeader(request, 'authorization', `Bearer ${key}`),
  'as a user of Basic': (request, _name, key) =>
    withHeader(request, 'authorization', `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`),
  'in X-headers': (request, name, key) =>
    [`x-${name}`, 'x-api-key', 'api-key', 'apikey'].reduce(
      (requested, other) => withHeader(requested, other, key),
      request,
    ),
  'with an underscore': (request, name, key) => withHeader(request, under(name), key),
  'in the path': (request, _name, key) => ({ ...request, path: request.path.replace(/(\?|$)/, `;key=${key}$1`) }),
}
const under = (name: string): string => name.replace('-', '_')

const withHeader = (request: WireRequest, name: string, ...values: readonly string[]): WireRequest => ({
  ...request,
  headers: { ...request.headers, [name]: [...values] },
})
const withoutHeader = (request: WireRequest, name: string): WireRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([each]) => each !== name)),
})

/** Keys are read from their header only, and no other text is accepted as one. */
export async function keys(fixture: DriverFixture): Promise<void> {
  const places = REQUESTED.flatMap((requested) =>
    requested.keys.flatMap((name) =>
      Object.entries(ELSEWHERE).map(([where, put]) => [requested, name, where, put] as const),
    ),
  )
  await inTurns(places, async ([{ about, make }, name, where, put]) => {
    const driver = fixture.driver(`a ${name} ${where}`)
    const reply = await driver.send(put(withoutHeader(make(fixture), name), name, keyOf(fixture, name)))
    // A path with a key in it may be another path.
    const isRefused = reply.status === 401 || (where === 'in the path' && reply.status === 404)
    const what = `${about}: a ${name} ${where}, and none in its header, was answered ${reply.status} "${reply.message}", not 401 "${name} is required" (${SOURCE})`
    const words = reply.status !== 401 || reply.message === `${name} is required`
    driver.hold(name, isRefused && words, `accepted ${where}`, what)
  })
  await inTurns(REQUESTED, (requested) => almost(fixture, requested))
}

const keyOf = ({ target }: DriverFixture, name: Header): string =>
  name === 'public-key' ? target.publicKey : target.secretKey

/** Texts that look like the key but are not. */
async function almost(fixture: DriverFixture, { about, keys: names, make }: KeyCase): Promise<void> {
  for (const name of names) {
    const key = keyOf(fixture, name)
    const other = name === 'public-key' ? fixture.target.secretKey : fixture.target.publicKey
    const wrong = {
      'in capitals': key.toUpperCase(),
      'with a letter more': `${key}0`,
      'with a letter less': key.slice(0, -1),
      'twice in one': `${key}${key}`,
      'in a list': `${key}, nobody`,
      'as a pattern': '%',
      'in quotes': `"${key}"`,
      'with a no-break space before it': `\u00a0${key}`,
      'with a no-break space after it': `${key}\u00a0`,
      'that is the other key': other,
    }
    for (const [what, text] of Object.entries(wrong)) {
      const driver = fixture.driver(`a ${name} ${what}`)
      const reply = await driver.send(withHeader(make(fixture), name, text))
      driver.expect(name, reply, NOT_VALID, `a ${name} ${what} is accepted`, `${SOURCE}; ${about}`)
    }
    const empty = fixture.driver(`an empty ${name}`)
    const none: ExpectedReply = { status: 401, message: `${name} is required` }
    empty.expect(
      name,
      await empty.send(withHeader(make(fixture), name, '')),
      none,
      `an empty ${name} is accepted`,
      `${SOURCE}; ${about}`,
    )
    for (const values of [
      ['nobody', key],
      [key, 'nobody'],
      [key, key],
    ]) {
      const driver = fixture.driver(`two ${name} headers`)
      const { status, message } = await driver.send(withHeader(make(fixture), name, ...values))
      const what = `${about}: two ${name} headers, ${values.map((each) => (each === key ? 'right' : 'wrong')).join(' and ')}, were answered ${status} "${message}", not 401 or 400`
      driver.hold(name, status === 401 || status === 400, `one of two ${name} headers is accepted`, what)
    }
  }
}
