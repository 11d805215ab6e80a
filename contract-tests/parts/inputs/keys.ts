import { without } from '../../harness/json.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { getRequest, walletsRequest, postRequest, withHeader } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { KINDS } from './input-requests.ts'

const SOURCE = 'the contract: public-key and secret-key are headers, and nothing else'
const LOOKUP = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'

type Header = 'public-key' | 'secret-key'
type MakeRequest = (fixture: DriverFixture) => WireRequest

const REQUESTED: Readonly<Record<string, MakeRequest>> = {
  listPaymentProviders: ({ target }) => getRequest(target, LOOKUP),
  listWalletBalances: ({ target }) => walletsRequest(target),
  predictProvider: ({ target }) =>
    getRequest(target, '/data/predict-provider?msisdn=256772000123', { 'secret-key': target.secretKey }),
  initializeCollection: (fixture) =>
    postRequest(fixture.target, 'initializeCollection', KINDS['a collection'](fixture.driver(''))),
  sendFunds: (fixture) => postRequest(fixture.target, 'sendFunds', KINDS['a payout'](fixture.driver(''))),
}

/** Operations that do more with a secret key, and work without one: a wrong one is refused all the same. */
const OPTIONAL = ['predictProvider secret-key']
const EMPTY = 'that is empty'

type Spoil = (request: WireRequest, name: Header, key: string) => WireRequest
/** A request without a valid key. @param statuses absent: 401 alone is right */
type Spoilt = readonly [what: string, spoil: Spoil, statuses?: readonly number[]]

const under = (name: string): string => name.replace('-', '_')
const inHeader =
  (header: string, write: (name: Header, key: string) => string): Spoil =>
  (request, name, key) =>
    withHeader(request, header, write(name, key))
const basicOf = (key: string): string => `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`

/** Other places where a client might put a key. */
const ELSEWHERE: readonly Spoilt[] = [
  [
    'in the query',
    ({ path, ...request }, name, key) => {
      const query = `${name}=${key}&${under(name)}=${key}`
      return { ...request, path: `${path}${path.includes('?') ? '&' : '?'}${query}` }
    },
  ],
  [
    'in the body',
    (request, name, key) => {
      const fields = `,"${name}":"${key}","${under(name)}":"${key}"}`
      return { ...request, body: Buffer.from(request.body.toString().replace(/\}$/, fields)) }
    },
  ],
  ['in a cookie', inHeader('cookie', (name, key) => `${name}=${key}; ${under(name)}=${key}`)],
  ['as a bearer token', inHeader('authorization', (_name, key) => `Bearer ${key}`)],
  ['as a user of Basic', inHeader('authorization', (_name, key) => basicOf(key))],
  [
    'in X-headers',
    (request, name, key) =>
      [`x-${name}`, 'x-api-key', 'api-key', 'apikey'].reduce((sent, other) => withHeader(sent, other, key), request),
  ],
  ['with an underscore', (request, name, key) => withHeader(request, under(name), key)],
  // It may be another path.
  [
    'in the path',
    (request, _name, key) => ({ ...request, path: request.path.replace(/(\?|$)/, `;key=${key}$1`) }),
    [401, 404],
  ],
]

const written = (what: string, write: (key: string) => string): Spoilt => [
  what,
  (request, name, key) => withHeader(request, name, write(key)),
]
const twice = (what: string, write: (key: string) => readonly string[]): Spoilt => [
  `in two headers, ${what}`,
  (request, name, key) => withHeader(request, name, ...write(key)),
  [400, 401],
]

/** Texts that look like the key but are not. */
const ALMOST: readonly Spoilt[] = [
  written('in capitals', (key) => key.toUpperCase()),
  written('with a letter more', (key) => `${key}0`),
  written('with a letter less', (key) => key.slice(0, -1)),
  written('twice in one', (key) => `${key}${key}`),
  written('in a list', (key) => `${key}, nobody`),
  written('as a pattern', () => '%'),
  written('in quotes', (key) => `"${key}"`),
  written('with a no-break space before it', (key) => `\u00a0${key}`),
  written('with a no-break space after it', (key) => `${key}\u00a0`),
  written(EMPTY, () => ''),
  twice('wrong and right', (key) => ['nobody', key]),
  twice('right and wrong', (key) => [key, 'nobody']),
  twice('right and right', (key) => [key, key]),
]

/** Keys are read from their header only, and no other text is accepted as one. */
export async function keys(fixture: DriverFixture): Promise<void> {
  const { publicKey, secretKey } = fixture.target
  const rows = Object.entries(REQUESTED).flatMap(([about, make]) =>
    (['public-key', 'secret-key'] as const).flatMap((name) => {
      if (make(fixture).headers[name] === undefined) return []
      const [key, other] = name === 'public-key' ? [publicKey, secretKey] : [secretKey, publicKey]
      const bare = (): WireRequest => {
        const request = make(fixture)
        return { ...request, headers: without(request.headers, name) }
      }
      const row = (request: WireRequest, [what, spoil, statuses = [401]]: Spoilt) =>
        [about, name, what, statuses, spoil(request, name, key)] as const
      const wrong = [...ALMOST, written('that is the other key', () => other)]
      if (OPTIONAL.includes(`${about} ${name}`))
        return wrong.filter(([what]) => what !== EMPTY).map((spoilt) => row(make(fixture), spoilt))
      return [...ELSEWHERE.map((spoilt) => row(bare(), spoilt)), ...wrong.map((spoilt) => row(make(fixture), spoilt))]
    }),
  )
  await forEachOf(rows, async ([about, name, what, statuses, sent]) => {
    const driver = fixture.driver(`a ${name} ${what}`)
    const { status, message } = await driver.send(sent)
    const came = `${about}: a ${name} ${what} was answered ${status} "${message}", not ${statuses.join(' or ')} (${SOURCE})`
    driver.hold(name, statuses.includes(status), `accepted ${what.split(',', 1).join()}`, came)
  })
}
