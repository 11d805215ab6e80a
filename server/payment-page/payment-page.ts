import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { PaymentView } from '../actions/view-payment.ts'
import { cookieOf, formToken, isForeign, isFormToken, newCookieValue, setCookie } from './csrf.ts'
import { readForm } from './form-body.ts'
import { createForms, type Form, type FormDeps, type FormName, type FormOutcome } from './forms.ts'
import { problemPage, type Problem } from './layout.ts'
import { LIVE_SCRIPT, LIVE_SCRIPT_PATH } from './live-script.ts'
import { paymentPage } from './payment-view.ts'
import type { PaymentPage } from './step-views.ts'
import { HTTPS_ONLY, SECURITY_HEADERS } from './security-headers.ts'

export interface PaymentPageDeps extends FormDeps {
  view(internalReference: string): Promise<PaymentView | undefined>
  /** The signed address on the merchant's site, once the collection is final and if it has a redirect_url. */
  redirect(view: PaymentView): Promise<string | undefined>
  /** For the form tokens and the opaque states. */
  readonly csrfKey: Uint8Array
  readonly random: { bytes(size: number): Uint8Array }
  /** Sandbox only: what the last three digits of this account will do, as a short sentence. */
  readonly sandboxHint?: (account: string | undefined) => string | undefined
  readonly sandbox: boolean
  /** Answers 405 with the exact `Allow` to all other methods of a route. */
  readonly allowOnly: (app: FastifyInstance, url: string, methods: readonly string[]) => void
  /**
   * Told of each request for a payment that does not exist. @returns the seconds to wait when this address asked for
   * too many
   */
  readonly guessed: (address: string) => Promise<number | undefined>
  /**
   * Where customers reach the page, when a proxy stands before it (PAYMENT_PAGE_BASE_URL). Absent: as the request says.
   */
  readonly pageBaseUrl?: string | undefined
}

const PAGE = '/pay/collection/:reference'
const FORM_ROUTES: Readonly<Record<FormName, string>> = {
  confirm: `${PAGE}/confirm`,
  otp: `${PAGE}/otp`,
  newOtp: `${PAGE}/otp/new`,
  cancel: `${PAGE}/cancel`,
}
const REFERENCE = /^MLP[0-9A-HJKMNP-TV-Z]{22}$/
/**
 * Well-formed, and never given to any payment: looked up in place of a malformed one, so that both take the same time.
 */
const NO_REFERENCE = `MLP${'0'.repeat(22)}`
const pathOf = (reference: string): string => `/pay/collection/${encodeURIComponent(reference)}`

type Paying = FastifyRequest<{ Params: { reference: string }; Querystring: { from?: string | string[] } }>

/**
 * The hosted payment page: what a customer of a collection sees and does. Server-rendered; works without script and in
 * one request.
 */
export function servePaymentPage(app: FastifyInstance, deps: PaymentPageDeps): void {
  // A scope of its own: the headers and the error pages are for people, and stay out of the API.
  app.register(async (scope) => {
    const headers =
      originOf(deps)?.startsWith('https:') === true ? { ...SECURITY_HEADERS, ...HTTPS_ONLY } : SECURITY_HEADERS
    scope.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
    scope.setErrorHandler((error, request, reply) => answerError(error, request as Paying, reply))
    routes(scope, deps)
  })
}

function routes(app: FastifyInstance, deps: PaymentPageDeps): void {
  const pages = createPages(deps)
  const forms = createForms(deps)

  app.route({
    method: ['GET', 'HEAD'],
    url: PAGE,
    handler: (request: Paying, reply) => showPayment(deps, pages, request, reply),
  })
  deps.allowOnly(app, PAGE, ['GET', 'HEAD'])

  app.route({
    method: ['GET', 'HEAD'],
    url: `${PAGE}/status`,
    handler: async (request: Paying, reply) => {
      const view = await pages.find(request)
      const wait = view ? undefined : await deps.guessed(request.ip)
      if (wait !== undefined) reply.header('retry-after', String(wait))
      const missing = wait === undefined ? 404 : 429
      return reply
        .code(view ? 200 : missing)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify({ state: view ? pages.stateOf(view) : 'unknown' }))
    },
  })
  deps.allowOnly(app, `${PAGE}/status`, ['GET', 'HEAD'])

  for (const [name, url] of Object.entries(FORM_ROUTES) as [FormName, string][]) {
    app.route({
      method: 'POST',
      url,
      handler: (request: Paying, reply) => takeForm(deps, pages, forms[name], request, reply),
    })
    // A form that was answered with an error leaves its own address in the browser; a phone that reloads the tab later
    // asks for it by GET.
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request: Paying, reply) => reply.redirect(pathOf(request.params.reference), 303),
    })
    deps.allowOnly(app, url, ['GET', 'HEAD', 'POST'])
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: LIVE_SCRIPT_PATH,
    handler: async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('text/javascript; charset=utf-8')
        .send(LIVE_SCRIPT),
  })
  deps.allowOnly(app, LIVE_SCRIPT_PATH, ['GET', 'HEAD'])
}

async function showPayment(
  deps: PaymentPageDeps,
  pages: Pages,
  request: Paying,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const view = await pages.find(request)
  if (!view) return refuseUnknown(deps, request, reply)
  const address = await onwardAddress(deps, view)
  const { from } = request.query
  if (address !== undefined && from === undefined) return reply.code(303).header('location', address).send()
  return pages.send(request, reply, 200, view, {
    leaves: address !== undefined,
    ...(from === 'new-password' && view.step.step === 'enter_otp' && { notice: 'A new password is on its way.' }),
  })
}

async function takeForm(
  deps: PaymentPageDeps,
  pages: Pages,
  form: Form,
  request: Paying,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { reference } = request.params
  const path = pathOf(reference)
  const body = await readForm(request.raw)
  if (body === 'too_large')
    return refuse(
      reply.header('connection', 'close'),
      413,
      { ...NOT_UNDERSTOOD, text: 'It had no effect: more was sent than this form has.' },
      path,
    )
  if (body === 'not_a_form') return refuse(reply, 415, NOT_UNDERSTOOD, path)
  if (body === 'incomplete') return refuse(reply, 400, NOT_UNDERSTOOD, path)
  if (isForeign(request.headers, originOf(deps))) return refuse(reply, 403, FOREIGN, path)
  if (!isFormToken(deps.csrfKey, cookieOf(request.headers), reference, body.get('token')))
    return refuse(reply, 403, STALE_FORM, path)
  const view = await pages.find(request)
  if (!view) return refuseUnknown(deps, request, reply)
  const outcome = await form(view, body)
  if (outcome.result === 'next') return leave(reply, path, outcome)
  // Looked at again: a wrong password has cost a try, and another tab may have gone on.
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
 * Post → redirect → get. The address says that a form led here: the page then goes on to the merchant's site by itself
 * (a refresh of the page), not by another 303. Tried with Chromium 156: it holds `form-action 'self'` against every
 * redirect that a form's answer leads to, so both POST → 303 → shop and POST → 303 → page → 303 → shop end, without a
 * word, on the old page; a refresh starts afresh. Naming the shop's origin in the policy would not do: a shop may
 * redirect again, to an origin that we do not know.
 */
const leave = (reply: FastifyReply, path: string, { from }: Extract<FormOutcome, { result: 'next' }>): FastifyReply =>
  reply.redirect(`${path}?from=${from}`, 303)

/** Where a final payment goes on to. Only to the web, whatever is stored. */
async function onwardAddress(deps: PaymentPageDeps, view: PaymentView): Promise<string | undefined> {
  if (view.step.step !== 'final') return undefined
  const address = await deps.redirect(view)
  if (address === undefined || !/^https?:\/\//i.test(address)) return undefined
  // A header holds ASCII only; a browser would encode the rest in the same way.
  return address.toWellFormed().replace(/[^\u0021-\u007e]/gu, encodeURIComponent)
}

type Pages = ReturnType<typeof createPages>

function createPages(deps: PaymentPageDeps) {
  const secure = (request: FastifyRequest) =>
    request.protocol === 'https' || originOf(deps)?.startsWith('https:') === true
  // Keyed, because the account is part of it: a bare digest of a phone number is soon guessed.
  const stateOf = ({ step }: PaymentView): string =>
    createHmac('sha256', deps.csrfKey)
      .update(`state:${JSON.stringify(step)}`)
      .digest('base64url')
      .slice(0, 16)
  return {
    stateOf,
    async find({ params: { reference } }: Paying): Promise<PaymentView | undefined> {
      const wellFormed = REFERENCE.test(reference)
      const view = await deps.view(wellFormed ? reference : NO_REFERENCE)
      return wellFormed ? view : undefined
    },
    send(
      request: Paying,
      reply: FastifyReply,
      status: number,
      view: PaymentView,
      page: Pick<PaymentPage, 'leaves' | 'error' | 'notice' | 'entered'>,
    ): FastifyReply {
      const { reference } = request.params
      const path = pathOf(reference)
      const known = cookieOf(request.headers)
      const cookie = known ?? newCookieValue(deps.random)
      if (known === undefined) reply.header('set-cookie', setCookie(cookie, path, secure(request)))
      const hint = deps.sandbox ? deps.sandboxHint?.(view.payment.transaction.account || undefined) : undefined
      return html(
        reply.code(status),
        paymentPage({
          view,
          now: deps.clock.now(),
          path,
          token: formToken(deps.csrfKey, cookie, reference),
          state: stateOf(view),
          sandbox: deps.sandbox,
          ...(hint !== undefined && { hint }),
          ...page,
        }),
      )
    },
  }
}

const originOf = ({ pageBaseUrl }: PaymentPageDeps): string | undefined =>
  pageBaseUrl === undefined ? undefined : URL.parse(pageBaseUrl)?.origin

const UNKNOWN: Problem = {
  title: 'There is no payment here',
  text: 'Check that the link is complete, or go back to the shop and start again.',
}
const NOT_UNDERSTOOD: Problem = {
  title: 'That did not arrive as it should',
  text: 'It had no effect. Open the payment again and send it once more.',
}
const FOREIGN: Problem = {
  title: 'That came from another site',
  text: 'It had no effect: a payment is made on its own page only.',
}
const STALE_FORM: Problem = {
  title: 'This page was open for too long',
  text: 'What you sent had no effect. Open the payment again; your browser must accept cookies for it.',
}
const AWAY: Problem = {
  title: 'One moment, please',
  text: 'We cannot answer just now. Try again in a few seconds; nothing is paid twice.',
}
const BROKEN: Problem = {
  title: 'Something went wrong on our side',
  text: 'Try again in a moment; nothing is paid twice.',
}

async function refuseUnknown(
  { guessed }: PaymentPageDeps,
  request: Paying,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const wait = await guessed(request.ip)
  if (wait === undefined) return refuse(reply, 404, UNKNOWN)
  return refuse(reply.header('retry-after', String(wait)), 429, {
    title: 'Too many wrong links',
    text: `Wait ${wait} second${wait === 1 ? '' : 's'}, then open the link again.`,
  })
}

const refuse = (reply: FastifyReply, status: number, problem: Problem, path?: string): FastifyReply =>
  html(
    reply.code(status),
    problemPage({ ...problem, ...(path !== undefined && { link: { href: path, text: 'Open the payment again' } }) }),
  )

const html = (reply: FastifyReply, page: string): FastifyReply => reply.type('text/html; charset=utf-8').send(page)

function answerError(error: unknown, request: Paying, reply: FastifyReply): FastifyReply {
  const path = pathOf(request.params.reference)
  if (error instanceof StorageUnavailable) return refuse(reply.header('retry-after', '2'), 503, AWAY, path)
  request.log.error({ err: error }, 'payment page failed')
  return refuse(reply, 500, BROKEN, path)
}
