import { readFileSync } from 'node:fs'
import { readContract } from '../../../openapi/reading/contract.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import type { Cookies } from '../../driver/browser.ts'
import { customerOf, press, redirectOf } from '../../driver/customer.ts'
import { createFixture, type DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import type { ApiReply } from '../../driver/requests.ts'
import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { wireRequest, type WireRequest } from '../../harness/proxy.ts'
import { NEWEST, rsaKeyIn } from '../../rules/rsa-keys/pem.ts'
import { REDIRECT_URLS, REFUSED_URLS } from './redirect-urls.ts'

/** Checks of one subject. */
type OutgoingCheck = (fixture: DriverFixture) => Promise<void>

const get = (path: string, headers: Readonly<Record<string, string | undefined>> = {}): WireRequest =>
  wireRequest('GET', path, headers)
const bodyOf = ({ reply }: ApiReply): Buffer => reply?.body ?? Buffer.alloc(0)

/** One object: a schema is compiled once per object. */
const ERROR_REPLY = { $ref: '#/components/schemas/ErrorReply' }
/** Whether a reply is that of a wrong path, as the page "Errors" has it. */
function unknownIn({ target }: DriverFixture): (reply: ApiReply) => boolean {
  const contract = readContract(target.contract)
  return (reply) => reply.status === 404 && contract.faultIn(ERROR_REPLY, jsonOf(bodyOf(reply))) === undefined
}

const HIDDEN_PATHS = readFileSync(new URL('hidden-paths.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('/'))

/** Requests each hidden path without keys and with both. */
const hidden: OutgoingCheck = async (fixture) => {
  const { publicKey, secretKey } = fixture.target
  const keys = { 'public-key': publicKey, 'secret-key': secretKey, 'x-api-version': '1' }
  const isUnknown = unknownIn(fixture)
  await forEachOf(HIDDEN_PATHS, async (path) => {
    const ask = async (request: WireRequest): Promise<readonly [PaymentDriver, Buffer]> => {
      const driver = fixture.driver(path)
      const reply = await driver.send(request)
      const { status } = reply
      const what = `${path} is answered ${status}, not 404 in the envelope, as the page "Errors" has it for a wrong path`
      driver.hold('hidden paths', isUnknown(reply), `status ${status}`, what)
      return [driver, bodyOf(reply)]
    }
    const [[, without], [driver, withKeys]] = [await ask(get(path)), await ask(get(path, keys))]
    const what = `${path} is answered otherwise to who has keys`
    driver.hold('hidden paths', without.equals(withKeys), 'with keys', what)
  })
}

/**
 * What a server has beside the contract. The rules judge what comes; some servers have none of it. Without the docs
 * themselves: a clone that has not built them answers 503.
 */
const PUBLIC_PAGES = [
  '/',
  '/docs/no-such-page',
  '/data/%zz',
  '/openapi.json',
  '/favicon.svg',
  '/health/live',
  '/health/ready',
  '/pay/collection/MLP0000000000000000000000',
]
const ORIGINS = [undefined, 'https://shop.example', 'null']

/** Requests pages and files as a browser does, from its own site and from another one. */
const pages: OutgoingCheck = async (fixture) => {
  for (const path of PUBLIC_PAGES)
    for (const origin of ORIGINS) await fixture.driver(path).send(get(path, { accept: 'text/html,*/*', origin }))
}

const UNUSED_ID = '0123456789abcdef'
const byId = (id: string): WireRequest => get(`/.well-known/malipo-rsa/${id}.pem`)
/** An id is its 16 digits, in lower case, and nothing else. */
const almost = (id: string): readonly string[] =>
  [
    id.toUpperCase(),
    id.slice(0, -1),
    `${id}0`,
    `0${id}`,
    `0x${id}`,
    `${id}.pem`,
    `%20${id}`,
    '',
    '*',
    'current',
  ].filter((other) => other !== id)

/** The current signing key equals the key with its id, and an unknown id has none. */
const keys: OutgoingCheck = async (fixture) => {
  const isUnknown = unknownIn(fixture)
  const asker = fixture.driver('the RSA key that signs now')
  const newest = await asker.send(get(NEWEST))
  const read = rsaKeyIn(bodyOf(newest).toString('latin1'))
  const isKey = newest.status === 200 && typeof read !== 'string'
  const none = `${NEWEST} is answered ${newest.status}, without the PEM of one key`
  if (!asker.hold('RSA keys', isKey, 'newest', none) || !isKey) return
  const driver = fixture.driver('the same key by its id')
  const same = await driver.send(byId(read.id))
  const what = `the RSA key that signs now is another one, or none, by its own id (HTTP ${same.status})`
  driver.hold('RSA keys', same.status === 200 && bodyOf(same).equals(bodyOf(newest)), 'pair', what)
  await forEachOf([UNUSED_ID, ...almost(read.id)], async (id) => {
    const other = fixture.driver('a key of another id')
    const reply = await other.send(byId(id))
    const served = `an RSA key of an id that never was (${id}) is answered ${reply.status}, not 404 in the envelope`
    other.hold('RSA keys', isUnknown(reply), 'unused id', served)
  })
}

const hosted = (driver: PaymentDriver, redirect_url: string): Promise<ApiReply> =>
  driver.collect({ msisdn: driver.phone(), mobile_money_hpp: true, redirect_url })

/** Requests a collection with each address that must be refused. */
const refused: OutgoingCheck = async (fixture) => {
  await forEachOf(REFUSED_URLS, async (url) => {
    const driver = fixture.driver('a redirect_url to refuse')
    const { status } = await hosted(driver, url)
    const what = `a redirect_url that leads elsewhere than it seems to, or is no HTTPS address, was answered ${status}, not 400: ${JSON.stringify(url)}`
    driver.hold('initializeCollection', status === 400, `redirect_url ${status}`, what)
  })
}

/** A customer cancels on a page for each address; the rule "redirects" compares where the page leads. */
const redirects: OutgoingCheck = async (fixture) => {
  const { target } = fixture
  if (!target.sandbox) return fixture.skip('redirects of payment pages: the customers are those of the sandbox')
  // One customer pays all of them in one browser.
  const cookies: Cookies = new Map()
  await forEachOf(REDIRECT_URLS, async (url) => {
    const driver = fixture.driver('a redirect_url')
    const { status, data } = await hosted(driver, url)
    const what = `a collection with a good redirect_url was answered ${status}, not 202: ${JSON.stringify(url)}`
    if (!driver.hold('initializeCollection', status === 202, `accepted ${status}`, what)) return
    const customer = customerOf(target, data, cookies)
    const page = customer && (await press(customer, 'cancel').catch(() => undefined))
    // A form's reply may stay on the page (its policy forbids a form to redirect away); the page then redirects.
    const leads = page && (page.redirectsTo ?? (await redirectOf(customer)))
    driver.hold('customerRedirect', leads !== undefined, 'nowhere', 'the page of a cancelled collection leads nowhere')
  })
}

export const REQUESTS = { hidden, pages, keys, refused, redirects }

/** Sends requests that no other part sends, so that what goes out in reply can be judged. */
export const outgoingPart: Part = {
  name: 'outgoing',
  what: 'hidden paths, pages beside the contract, both RSA public keys, addresses of redirects letter for letter',
  run: (target, options) => runOutgoing(target, options, Object.values(REQUESTS)),
}

export async function runOutgoing(
  target: Target,
  { seed, size }: Pick<RunOptions, 'seed' | 'size'>,
  requests: readonly OutgoingCheck[],
): Promise<PartResult> {
  const { done } = beginPart('outgoing', seed)
  const fixture = createFixture(target, { seed, size }, { prefix: 'OUTGOING' })
  for (const request of requests) await request(fixture)
  return done(fixture.outcome())
}
