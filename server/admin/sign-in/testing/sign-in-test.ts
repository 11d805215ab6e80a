import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { pino } from 'pino'
import { afterAll, expect } from 'vitest'
import { audienceOf, type Audience } from '../../../domain/people/audience.ts'
import { present } from '../../../domain/present.ts'
import type { TestDatabase } from '../../../verification/testing/database.ts'
import { gatewayTest, type GatewayTest } from '../../../verification/testing/gateway-test.ts'
import { seededRandom } from '../../../verification/testing/gateway.ts'
import { createLink, type LinkPurpose } from '../links.ts'

// For tests: the real gateway with its sign-in, people, and their browsers.

export const PASSWORD = 'treacle vole seventy orbit'
const HOUR_MS = 3_600_000

export interface TestPerson {
  readonly id: bigint
  readonly email: string
  /** Null for staff. */
  readonly merchant_id: bigint | null
}

interface PageReply {
  readonly status: number
  /** Where it leads, for a redirect. */
  readonly location: string | undefined
  readonly headers: Headers
  readonly body: string
}

/** A browser without script: it keeps cookies, and sends forms as browsers do. */
export interface TestBrowser {
  readonly cookies: Map<string, string>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<PageReply>
  /** Sends a form with the token of the last page. */
  post(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<PageReply>
  json(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<PageReply>
}

/** Counts addresses: each browser comes from its own, behind the proxy that the test is. */
let addresses = 0

export function newBrowser(baseUrl: string, address = `198.51.100.${(addresses += 1)}`): TestBrowser {
  const cookies = new Map<string, string>()
  let token = ''
  const send = async (path: string, init: RequestInit): Promise<PageReply> => {
    const reply = await fetch(`${baseUrl}${path}`, {
      ...init,
      redirect: 'manual',
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        'x-forwarded-for': address,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(init.headers as Record<string, string>),
      },
    })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const body = await reply.text()
    token = /(?:data-token|name="token" value)="([^"]+)"/.exec(body)?.[1] ?? token
    return { status: reply.status, location: reply.headers.get('location') ?? undefined, headers: reply.headers, body }
  }
  const fromHere = { origin: baseUrl, 'sec-fetch-site': 'same-origin' }
  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, fields = {}, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { ...fromHere, ...headers },
        body: new URLSearchParams({ token, ...fields }),
      }),
    json: (path, body, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { ...fromHere, 'content-type': 'application/json', 'x-form-token': token, ...headers },
        body: JSON.stringify(body),
      }),
  }
}

/** What a person has after setting up a sign-in. */
export interface SetUp {
  readonly browser: TestBrowser
  readonly codes: readonly string[]
  /** What the authenticator app shows now. */
  code(): string
}

export interface SignInTest extends GatewayTest {
  readonly baseUrl: string
  /** Of the listener for people of merchants. */
  readonly merchantsUrl: string
  /** Adds a person. @param role of staff, or of a merchant */
  person(name: string, role?: string, merchantId?: bigint): Promise<TestPerson>
  link(person: TestPerson, purpose?: LinkPurpose): Promise<string>
  /** At the listener of staff, or of people of merchants. */
  browser(address?: string, audience?: Audience): TestBrowser
  /** Follows a link, and sets up password and app. */
  setUp(person: TestPerson, browser?: TestBrowser): Promise<SetUp>
  /** Signs in with password and the current code; the clock moves on first, because a code works once. */
  signIn(person: TestPerson, app: Pick<SetUp, 'code'>, browser?: TestBrowser): Promise<TestBrowser>
  /** What the audit log has of a person, the oldest first. */
  audited(person: TestPerson): Promise<string[]>
}

/** A log in which no request may be an error: the file fails. */
function refusingErrors() {
  const failed: string[] = []
  const write = (line: string) => void (line.includes('"reqId"') && failed.push(line))
  afterAll(() => expect(failed, 'requests that the gateway logged as errors').toEqual([]))
  return pino({ level: 'error' }, { write })
}

/** The gateway with its sign-in, on a clock that stands still. @param database a new one by default */
export async function signInTest(
  env: Readonly<Record<string, string>> = {},
  database?: TestDatabase,
): Promise<SignInTest> {
  const gateway = await gatewayTest({
    ...(database && { database }),
    surroundings: { logger: refusingErrors() },
    env: { MALIPO_ADMIN_PORT: '0', MALIPO_CONSOLE_PORT: '0', MALIPO_TRUSTED_PROXIES: '127.0.0.1,::1', ...env },
  })
  const { url: baseUrl } = present(gateway.gateway.admin, 'the sign-in')
  const { url: merchantsUrl } = present(gateway.gateway.console, 'the sign-in of merchants')
  const { pool } = gateway.gateway
  const { clock } = gateway
  const random = seededRandom(`sign-in ${baseUrl}`)
  const browser: SignInTest['browser'] = (address, audience = 'staff') =>
    newBrowser(audience === 'staff' ? baseUrl : merchantsUrl, address)
  const link: SignInTest['link'] = async ({ id: personId }, purpose = 'invite') =>
    (await createLink(pool, { personId, purpose, random, now: clock.now() })).path
  return {
    ...gateway,
    baseUrl,
    merchantsUrl,
    browser,
    link,
    async person(name, role = 'finance', merchantId) {
      const email = `${name.split(' ', 1).join().toLowerCase()}.${createHash('sha256').update(name).digest('hex').slice(0, 6)}@pay.example`
      const { rows } = await pool.query<TestPerson>(
        'insert into people (merchant_id, email, name, role, created_at) values ($1, $2, $3, $4, $5) returning id, email, merchant_id',
        [merchantId, email, name, role, clock.now()],
      )
      return present(rows[0], 'the person')
    },
    async setUp(person, opened = browser(undefined, audienceOf(person))) {
      const path = await link(person)
      const { body } = await opened.get(path)
      const secret = Secret.fromBase32(present(/class="secret">([A-Z2-7]+)</.exec(body)?.[1], 'the secret'))
      const code = () => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() })
      const done = await opened.post(path, { password: PASSWORD, code: code() })
      expect({ status: done.status, alert: alertOf(done) }).toEqual({ status: 200, alert: undefined })
      const codes = [...done.body.matchAll(/<li><code>([^<]+)</g)].map(([, one = '']) => one)
      return { browser: opened, codes, code }
    },
    async signIn(person, { code }, opened = browser(undefined, audienceOf(person))) {
      const { email } = person
      clock.advance(60_000)
      await opened.get('/sign-in')
      const reply = await opened.post('/sign-in', { email, password: PASSWORD, code: code() })
      expect({ status: reply.status, location: reply.location }).toEqual({ status: 303, location: '/' })
      return opened
    },
    async audited({ email }) {
      const { rows } = await pool.query<{ command: string }>(
        'select command from audit_log where subject = $1 order by id',
        [email],
      )
      return rows.map(({ command }) => command)
    },
  }
}

export const alertOf = ({ body }: PageReply): string | undefined => /role="alert">([^<]+)</.exec(body)?.[1]
export const headingOf = ({ body }: PageReply): string | undefined => /<h1>([^<]*)</.exec(body)?.[1]
export const hours = (count: number): number => count * HOUR_MS
