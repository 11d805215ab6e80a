import { createHmac } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { PaymentView } from '../actions/view-payment.ts'
import { acceptedEncoding, type Encoding } from '../http/accepted-encoding.ts'
import { withAsciiHost } from '../domain/redirect-url.ts'
import { cookieOf, formToken, isForeign, isFormToken, newCookieValue, setCookie } from './csrf.ts'
import { readForm } from './form-body.ts'
import { createForms, type Form, type FormDeps, type FormName, type FormOutcome } from './forms.ts'
import { hasBeenLed, setLed } from './led-cookie.ts'
import { languageRequested, setLanguage, speechFor } from './languages.ts'
import { LIVE_SCRIPT, LIVE_SCRIPT_PATH } from './live-script.ts'
import type { RenderedPage } from './layout.ts'
import { answerLogo, LOGO_ROUTE, type FindLogo } from './logo-route.ts'
import type { PaymentPage, SandboxForecast } from './page.ts'
import { paymentPage } from './payment-view.ts'
import { problemPage, statusOf, type ProblemName } from './problems.ts'
import { HTTPS_ONLY, SECURITY_HEADERS } from './security-headers.ts'
import type { Translator } from './speech.ts'

export interface PaymentPageDeps extends FormDeps {
  view(internalReference: string): Promise<PaymentView | undefined>
  /** The signed address on the merchant's site, once the collection is final and if it has a redirect_url. */
  redirect(view: PaymentView): Promise<string | undefined>
  /** Finds a merchant's logo by the digest in its address. */
  readonly logo: FindLogo
  /** The key for form tokens and opaque states. */
  readonly csrfKey: Uint8Array
  readonly random: { bytes(size: number): Uint8Array }
  /** Sandbox only: what it will do with this account. */
  readonly sandboxForecast?: (account: string) => SandboxForecast | undefined
  readonly sandbox: boolean
  /**
   * Called for each request for a payment that does not exist.
   * @returns the seconds to wait after too many of them from this address
   */
  readonly guessed: (address: string) => Promise<number | undefined>
  /** The public base URL of the page behind a proxy (PAYMENT_PAGE_BASE_URL). Absent: taken from the request. */
  readonly pageBaseUrl?: string | undefined
}

const PAGE = '/pay/collection/:reference'
const FORM_ROUTES: Readonly<Record<FormName, string>> = {
  confirm: `${PAGE}/confirm`,
  retry: `${PAGE}/retry`,
  otp: `${PAGE}/otp`,
  newOtp: `${PAGE}/otp/new`,
  cancel: `${PAGE}/cancel`,
}
const REFERENCE = /^MLP[0-9A-HJKMNP-TV-Z]{22}$/
/**
 * Well-formed, and never assigned to a payment: looked up instead of a malformed one, so that both take the same time.
 */
const NO_REFERENCE = `MLP${'0'.repeat(22)}`
/**
 * A reference with trailing punctuation from the message that contained the link, or in lower case: it is redirected.
 */
const ALMOST_A_REFERENCE = /^(MLP[0-9A-HJKMNP-TV-Z]{22})[^0-9A-Z]*$/i
const pathOf = (reference: string): string => `/pay/collection/${encodeURIComponent(reference)}`

type QueryName = 'from' | 'to' | 'since'
interface Params {
  readonly reference: string
  /** The digest of a logo. */
  readonly digest?: string
}
type PaymentRequest = FastifyRequest<{ Params: Params; Querystring: { [Name in QueryName]?: string | string[] } }>

/**
 * The hosted payment page for the customer of a collection. Server-rendered; works without script and in one request.
 */
export function servePaymentPage(app: FastifyInstance, deps: PaymentPageDeps): void {
  // A separate scope: these headers and error pages are for people, and must not apply to the API.
  app.register(async (scope) => {
    const isHttps = originOf(deps)?.startsWith('https:') === true
    const headers = isHttps ? { ...SECURITY_HEADERS, ...HTTPS_ONLY } : SECURITY_HEADERS
    scope.addHook('onRequest', async ({ query, protocol }, reply) => {
      reply.headers(headers)
      const language = languageRequested(query)
      if (language) reply.header('set-cookie', setLanguage(language, protocol === 'https' || isHttps))
    })
    scope.setErrorHandler((error, request, reply) => answerError(error, request as PaymentRequest, reply))
    routes(scope, deps)
  })
}

function routes(app: FastifyInstance, deps: PaymentPageDeps): void {
  const pages = createPages(deps)
  const forms = createForms(deps)

  get(app, PAGE, (request, reply) => showPayment(deps, pages, request, reply))
  get(app, `${PAGE}/`, async (request, reply) => reply.redirect(pathOf(request.params.reference), 303))
  get(app, `${PAGE}/status`, async (request, reply) => {
    const view = await pages.find(request)
    if (!view) return refuseUnknown(deps, request, reply)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ state: pages.stateOf(view) }))
  })
  for (const [name, url] of Object.entries(FORM_ROUTES) as [FormName, string][]) {
    app.route({
      method: 'POST',
      url,
      handler: (request: PaymentRequest, reply) => takeForm(deps, pages, forms[name], request, reply),
    })
    // A form that got an error leaves its own address in the browser; a phone that reloads the tab later requests it by
    // GET.
    get(app, url, async (request, reply) => reply.redirect(pathOf(request.params.reference), 303), ['POST'])
  }
  get(app, LIVE_SCRIPT_PATH, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('text/javascript; charset=utf-8')
      .send(LIVE_SCRIPT),
  )
  get(
    app,
    LOGO_ROUTE,
    answerLogo(deps.logo, (request, reply) => refuseUnknown(deps, request, reply)),
  )
  for (const url of ['/pay', '/pay/*'])
    app.route({ method: app.supportedMethods, url, handler: async (_request, reply) => refuse(reply, 'unknown') })
}

type PageHandler = (request: PaymentRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Serves GET and HEAD; other methods get a page with the exact `Allow`. */
function get(app: FastifyInstance, url: string, handler: PageHandler, alsoHas: readonly string[] = []): void {
  const has = ['GET', 'HEAD', ...alsoHas]
  app.route({ method: ['GET', 'HEAD'], url, handler })
  app.route({
    method: app.supportedMethods.filter((method) => !has.includes(method)),
    url,
    handler: async ({ params: { reference } }: PaymentRequest, reply) =>
      refuse(reply.header('allow', has.join(', ')), 'notAllowed', reference ? { path: pathOf(reference) } : {}),
  })
}

async function showPayment(
  deps: PaymentPageDeps,
  pages: Pages,
  request: PaymentRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { reference } = request.params
  const meant = ALMOST_A_REFERENCE.exec(reference)?.[1]?.toUpperCase() ?? reference
  if (meant !== reference) return reply.redirect(pathOf(meant), 303)
  const view = await pages.find(request)
  if (!view) return refuseUnknown(deps, request, reply)
  const { from, to, since } = request.query
  const address = await onwardAddress(deps, view)
  const wantsToLeave = to === 'merchant'
  // Two waiting tabs are both redirected, although the first redirect sets the cookie of a browser that has been
  // redirected.
  const wasWaiting = since !== undefined && hasJustEnded(view, deps.clock.now())
  const goesOnByItself = view.step.step === 'final' && (wasWaiting || !hasBeenLed(request.headers))
  if (address !== undefined && (wantsToLeave || (goesOnByItself && from === undefined)))
    return pages.lead(request, reply, view, address)
  return pages.send(request, reply, 200, view, {
    leaves: goesOnByItself,
    ...(address !== undefined && { backTo: `${pathOf(reference)}?to=merchant` }),
    ...(from === 'new-password' &&
      view.step.step === 'enter_otp' && { notice: speechOf(request).text('otpNewOnItsWay') }),
  })
}

async function takeForm(
  deps: PaymentPageDeps,
  pages: Pages,
  form: Form,
  request: PaymentRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { reference } = request.params
  const path = pathOf(reference)
  const body = await readForm(request.raw)
  if (body === 'too_large') return refuse(reply.header('connection', 'close'), 'tooLarge', { path })
  if (body === 'not_a_form') return refuse(reply, 'noForm', { path })
  if (body === 'incomplete') return refuse(reply, 'incomplete', { path })
  if (isForeign(request.headers, originOf(deps))) return refuse(reply, 'foreign', { path })
  if (!isFormToken(deps.csrfKey, cookieOf(request.headers), reference, body.get('token')))
    return refuse(reply, 'stale', { path })
  const view = await pages.find(request)
  if (!view) return refuseUnknown(deps, request, reply)
  const outcome = await form(view, body)
  if (outcome.result === 'next') return leave(reply, path, outcome)
  // Read again: a wrong OTP has used up a try, and another tab may have advanced the payment.
  const now = (await pages.find(request)) ?? view
  if (now.step.step !== view.step.step) return leave(reply, path, { result: 'next', from: 'form' })
  if (outcome.retryAfterSeconds !== undefined) reply.header('retry-after', String(outcome.retryAfterSeconds))
  return pages.send(request, reply, outcome.status, now, {
    leaves: false,
    error: outcome.error,
    ...(outcome.entered && { entered: outcome.entered }),
  })
}

/**
 * Post → redirect → get. The address records that a form led here: the page then goes on to the merchant's site by
 * itself (a refresh of the page), not by another 303. Tested with Chromium 156: it applies `form-action 'self'` to
 * every redirect that follows a form's reply, so both POST → 303 → shop and POST → 303 → page → 303 → shop end
 * silently on the old page; a refresh starts a new navigation. Adding the shop's origin to the policy is not enough: a
 * shop may redirect again, to an origin that we do not know.
 */
const leave = (reply: FastifyReply, path: string, { from }: Extract<FormOutcome, { result: 'next' }>): FastifyReply =>
  reply.redirect(`${path}?from=${from}`, 303)

/**
 * Where an ended payment redirects to: the signed address with the outcome once it is final, and the merchant's own
 * address in the moment before. Only http and https addresses, whatever is stored.
 */
async function onwardAddress(deps: PaymentPageDeps, view: PaymentView): Promise<string | undefined> {
  const address = await addressAfter(deps, view)
  if (address === undefined || !/^https?:\/\//i.test(address)) return undefined
  // A header contains ASCII only; a browser would encode the rest in the same way.
  return address.toWellFormed().replace(/[^\u0021-\u007e]/gu, encodeURIComponent)
}

async function addressAfter(deps: PaymentPageDeps, view: PaymentView): Promise<string | undefined> {
  const { redirectUrl } = view.payment
  if (view.step.step === 'final') return deps.redirect(view)
  return view.step.step === 'expired' && redirectUrl !== undefined ? withAsciiHost(redirectUrl) : undefined
}

type Pages = ReturnType<typeof createPages>

function createPages(deps: PaymentPageDeps) {
  const secure = (request: FastifyRequest) =>
    request.protocol === 'https' || originOf(deps)?.startsWith('https:') === true
  // Keyed, because it includes the account: a bare digest of a phone number is easy to guess.
  const stateOf = ({ step }: PaymentView): string =>
    createHmac('sha256', deps.csrfKey)
      .update(`state:${JSON.stringify(step)}`)
      .digest('base64url')
      .slice(0, 16)
  return {
    stateOf,
    async find({ params: { reference } }: PaymentRequest): Promise<PaymentView | undefined> {
      const wellFormed = REFERENCE.test(reference)
      const view = await deps.view(wellFormed ? reference : NO_REFERENCE)
      return wellFormed ? view : undefined
    },
    /** A browser that was redirected with the outcome sees the receipt when it returns. */
    lead(request: PaymentRequest, reply: FastifyReply, { step }: PaymentView, address: string): FastifyReply {
      const path = pathOf(request.params.reference)
      if (step.step === 'final') reply.header('set-cookie', setLed(path, secure(request)))
      return reply.code(303).header('location', address).send()
    },
    send(
      request: PaymentRequest,
      reply: FastifyReply,
      status: number,
      view: PaymentView,
      page: Pick<PaymentPage, 'leaves' | 'backTo' | 'error' | 'notice' | 'entered'>,
    ): FastifyReply {
      const { reference } = request.params
      const path = pathOf(reference)
      const known = cookieOf(request.headers)
      const cookie = known ?? newCookieValue(deps.random)
      if (known === undefined) reply.header('set-cookie', setCookie(cookie, path, secure(request)))
      const forecast = deps.sandbox ? deps.sandboxForecast?.(view.payment.transaction.account) : undefined
      return send(
        reply.code(status),
        paymentPage({
          view,
          speech: speechOf(request),
          now: deps.clock.now(),
          waitsSince: waitsSince(request, view, deps.clock.now()),
          path,
          token: formToken(deps.csrfKey, cookie, reference),
          state: stateOf(view),
          sandbox: deps.sandbox,
          ...(forecast !== undefined && { forecast }),
          ...(secure(request) && { secureHost: publicHost(deps) ?? request.host }),
          ...page,
        }),
      )
    },
  }
}

const publicHost = ({ pageBaseUrl }: PaymentPageDeps): string | undefined =>
  pageBaseUrl === undefined ? undefined : URL.parse(pageBaseUrl)?.host

const originOf = ({ pageBaseUrl }: PaymentPageDeps): string | undefined =>
  pageBaseUrl === undefined ? undefined : URL.parse(pageBaseUrl)?.origin

/** Longer than the refresh interval of a page. */
const JUST_MS = 60_000

const hasJustEnded = ({ payment }: PaymentView, now: Date): boolean =>
  payment.transaction.finalAt !== undefined && now.getTime() - payment.transaction.finalAt.getTime() < JUST_MS

/**
 * The time in the address, if it is plausible. Counting restarts when a form has just led here, and starts at the
 * creation of the payment when the customer returns by the plain link.
 */
function waitsSince({ query: { since, from } }: PaymentRequest, { payment }: PaymentView, now: Date): Date {
  if (from !== undefined) return now
  const { createdAt } = payment.transaction
  const said = new Date(/^\d{1,10}$/.test(String(since)) ? Number(since) * 1000 : createdAt)
  return said < createdAt || said > now ? createdAt : said
}

async function refuseUnknown(
  { guessed }: PaymentPageDeps,
  request: Pick<FastifyRequest, 'ip'>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const waitSeconds = await guessed(request.ip)
  if (waitSeconds === undefined) return refuse(reply, 'unknown')
  return refuse(reply.header('retry-after', String(waitSeconds)), 'guesses', { waitSeconds })
}

const refuse = (
  reply: FastifyReply,
  name: ProblemName,
  more?: { readonly path?: string; readonly waitSeconds?: number },
): FastifyReply => send(reply.code(statusOf(name)), problemPage(name, speechOf(reply.request), more))

const speechOf = ({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Translator =>
  speechFor(query, headers)

/** Compressed: a page of 14 kB takes a quarter of that on a slow line. */
function send(reply: FastifyReply, { html, policy }: RenderedPage): FastifyReply {
  const encoding = acceptedEncoding(reply.request.headers['accept-encoding'])
  return reply
    .headers({
      'content-security-policy': policy,
      'content-language': speechOf(reply.request).language,
      vary: 'Accept-Encoding, Accept-Language, Cookie',
      ...(encoding && { 'content-encoding': encoding }),
    })
    .type('text/html; charset=utf-8')
    .send(encoding ? COMPRESS[encoding](html) : html)
}

// Quick rather than small: the page is made for each request.
const COMPRESS: Readonly<Record<Encoding, (text: string) => Buffer>> = {
  br: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text) => gzipSync(text),
}

function answerError(error: unknown, request: Partial<PaymentRequest>, reply: FastifyReply): FastifyReply {
  const reference = request.params?.reference
  const more = reference === undefined ? {} : { path: pathOf(reference) }
  if (error instanceof StorageUnavailable) return refuse(reply.header('retry-after', '2'), 'away', more)
  request.log?.error({ err: error }, 'payment page failed')
  return refuse(reply, 'broken', more)
}
