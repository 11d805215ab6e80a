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
  initializeCollection: (fixture) =>
    postRequest(fixture.target, 'initializeCollection', KINDS['a collection'](fixture.driver(''))),
  sendFunds: (fixture) => postRequest(fixture.target, 'sendFunds', KINDS['a payout'](fixture.driver(''))),
}

/** A request without a valid key. */
interface Spoilt {
  readonly what: string
  readonly spoil: (request: WireRequest, name: Header, key: string) => WireRequest
  /** Absent: 401 alone is right. */
  readonly statuses?: readonly number[]
}

const under = (name: string): string => name.replace('-', '_')

/** Other places where a client might put a key. */
const ELSEWHERE: readonly Spoilt[] = [
  {
    what: 'in the query',
    spoil: (request, name, key) => ({
      ...request,
      path: `${request.path}${request.path.includes('?') ? '&' : '?'}${name}=${key}&${under(name)}=${key}`,
    }),
  },
  {
    what: 'in the body',
    spoil: (request, name, key) => ({
      ...request,
      body: Buffer.from(request.body.toString().replace(/\}$/, `,"${name}":"${key}","${under(name)}":"${key}"}`)),
    }),
  },
  {
    what: 'in a cookie',
    spoil: (request, name, key) => withHeader(request, 'cookie', `${name}=${key}; ${under(name)}=${key}`),
  },
  {
    what: 'as a bearer token',
    spoil: (request, _name, key) => withHeader(request, 'authorization', `Bearer ${key}`),
  },
  {
    what: 'as a user of Basic',
    spoil: (request, _name, key) =>
      withHeader(request, 'authorization', `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`),
  },
  {
    what: 'in X-headers',
    spoil: (request, name, key) =>
      [`x-${name}`, 'x-api-key', 'api-key', 'apikey'].reduce(
        (requested, other) => withHeader(requested, other, key),
        request,
      ),
  },
  { what: 'with an underscore', spoil: (request, name, key) => withHeader(request, under(name), key) },
  {
    what: 'in the path',
    spoil: (request, _name, key) => ({ ...request, path: request.path.replace(/(\?|$)/, `;key=${key}$1`) }),
    // It may be another path.
    statuses: [401, 404],
  },
]

const written = (what: string, write: (key: string) => string): Spoilt => ({
  what,
  spoil: (request, name, key) => withHeader(request, name, write(key)),
})
const twice = (what: string, write: (key: string) => readonly string[]): Spoilt => ({
  what: `in two headers, ${what}`,
  spoil: (request, name, key) => withHeader(request, name, ...write(key)),
  statuses: [400, 401],
})

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
  written('that is empty', () => ''),
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
      return [
        ...ELSEWHERE.map((spoilt) => ({ about, name, spoilt, sent: spoilt.spoil(bare(), name, key) })),
        ...[...ALMOST, written('that is the other key', () => other)].map((spoilt) => ({
          about,
          name,
          spoilt,
          sent: spoilt.spoil(make(fixture), name, key),
        })),
      ]
    }),
  )
  await forEachOf(rows, async ({ about, name, spoilt: { what, statuses = [401] }, sent }) => {
    const driver = fixture.driver(`a ${name} ${what}`)
    const { status, message } = await driver.send(sent)
    const came = `${about}: a ${name} ${what} was answered ${status} "${message}", not ${statuses.join(' or ')} (${SOURCE})`
    driver.hold(name, statuses.includes(status), `accepted ${what.split(',', 1).join()}`, came)
  })
}
