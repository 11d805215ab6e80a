import { METHODS } from 'node:http'
import { html } from 'ghtml'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Random } from '../../domain/references.ts'
import { originForm } from '../../http/app.ts'
import { answerBesideRequests, answerUnreadableRequest } from '../../http/below-requests.ts'
import { trustedProxy } from '../../http/client-address.ts'
import { CONNECTION_TIMES, PendingReplies } from '../../http/connections.ts'
import { failure } from '../../http/envelope.ts'
import { ICON, ICON_HEADERS, ICON_PATHS } from '../../http/icon.ts'
import { formFaultOf } from '../../http/message-form.ts'
import { RequestLog } from '../../http/request-log.ts'
import { answerLogo, LOGO_ROUTE } from '../../payment-page/logo-route.ts'
import { HTTPS_ONLY, SECURITY_HEADERS } from '../../payment-page/security-headers.ts'
import { StorageUnavailable } from '../../actions/ports/store.ts'
import { isOfAdminApi, sendAdminReply, serveAdminApi } from '../api/serve-admin-api.ts'
import { serveAccount } from '../sign-in/account-routes.ts'
import { messagePage } from '../sign-in/admin-page.ts'
import { sendPage } from '../sign-in/admin-routes.ts'
import { ADMIN_SCRIPT, ADMIN_SCRIPT_PATH } from '../sign-in/admin-script.ts'
import { PasswordsBusy } from '../sign-in/passwords.ts'
import { serveLinks } from '../sign-in/link-routes.ts'
import { serveTokens } from '../sign-in/token-routes.ts'
import { servePlayground } from '../sign-in/playground.ts'
import { servePasskeys } from '../sign-in/passkey-routes.ts'
import { serveSignIn } from '../sign-in/sign-in-routes.ts'
import type { ConsoleDeps } from './console-routes.ts'
import { SIGN_IN_TEXTS } from '../sign-in/texts.ts'
import { serveConsoleAssets } from './look/assets.ts'
import { consolePage, refusalTitle } from './look/page.ts'
import { viewerOfRequest } from './look/viewer.ts'
import { servePages } from './pages.ts'
import { isSecure, readVisit } from '../sign-in/visit.ts'

/** Far above any form or passkey. */
const BODY_MAX_BYTES = 32_768

/** Far above a logo: a picture that is too large is refused by the page of its form. */
const FILE_FORM_MAX_BYTES = 1_048_576

interface AdminAppOptions extends ConsoleDeps {
  readonly logger: FastifyBaseLogger
  readonly random: Random
  readonly trustedProxies: readonly string[]
}

/** The console, the admin API and the sign-in of one audience, on a listener of its own. */
export function createAdminApp({ logger, trustedProxies, ...deps }: AdminAppOptions): FastifyInstance {
  const pending = new PendingReplies()
  const { lingerMs } = CONNECTION_TIMES
  const app = fastify({
    loggerInstance: logger,
    logController: new RequestLog(undefined),
    genReqId: () => Buffer.from(deps.random.bytes(12)).toString('base64url'),
    trustProxy: trustedProxies.length > 0 ? trustedProxy(trustedProxies) : false,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: CONNECTION_TIMES.requestMs,
    connectionTimeout: CONNECTION_TIMES.stillMs,
    forceCloseConnections: true,
    http: { headersTimeout: CONNECTION_TIMES.headersMs, requireHostHeader: false },
    frameworkErrors: withoutRoute(deps),
    clientErrorHandler: (error, socket) =>
      void answerUnreadableRequest(error, socket, pending.on(socket), () => undefined, lingerMs),
    routerOptions: { maxParamLength: 100 },
    rewriteUrl: originForm,
  })
  // The API answers every method, and no console page has one of the rare ones.
  for (const method of METHODS)
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: false })
  app.server.on('request', (request, response) => pending.add(request, response))
  answerBesideRequests(app, lingerMs)
  app.decorateRequest('logName', undefined)
  readForms(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(deps))
    const fault = formFaultOf(request.raw)
    if (fault?.endsConnection) reply.header('connection', 'close')
    if (fault) return refuse(deps, request, reply, fault.message)
    // The API has no cookies and no forms.
    if (isOfAdminApi(request.url)) return undefined
    const { host } = new URL(deps.baseUrl())
    // Cookies, passkeys and the check of forms belong to one host name; a foreign name may point here as well.
    if (request.host !== host)
      return reply.redirect(`${deps.baseUrl()}${request.method === 'GET' ? request.url : '/'}`, 303)
    return undefined
  })
  answerFailures(app, deps)
  serveAdminApi(app, deps.api)
  serveFiles(app, deps)
  app.register(async (scope) => {
    for (const serve of [
      serveSignIn,
      serveAccount,
      serveTokens,
      serveLinks,
      servePasskeys,
      servePlayground,
      servePages,
    ])
      serve(scope, deps)
  })
  return app
}

// Browsers send `Origin: null` for forms of a page without any referrer, and the forms here need it.
const headersOf = (deps: ConsoleDeps) => ({
  ...SECURITY_HEADERS,
  'referrer-policy': 'same-origin',
  ...(isSecure(deps) && HTTPS_ONLY),
})

/** What Fastify rejects before it matches a route: a path that is no percent-encoding. */
const withoutRoute =
  (deps: ConsoleDeps): NonNullable<FastifyServerOptions['frameworkErrors']> =>
  (_error, request, reply) => {
    reply.headers(headersOf(deps))
    refuse(deps, request, reply, 'The path is not valid percent-encoding')
  }

/** With the envelope of the API, or a page of the console. */
const refuse = (deps: ConsoleDeps, request: FastifyRequest, reply: FastifyReply, message: string): FastifyReply =>
  isOfAdminApi(request.raw.url ?? '')
    ? sendAdminReply(reply.header('x-request-id', request.id), failure(400, message))
    : sendFailurePage(deps, request, reply, 400)

function readForms(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    if (/%00|\0/.test(String(body))) done(unreadable(HAS_NUL))
    else done(null, new URLSearchParams(String(body)))
  })
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: FILE_FORM_MAX_BYTES },
    async (request: FastifyRequest, body: Buffer) => fieldsWithFiles(request.headers['content-type'] ?? '', body),
  )
}

/** PostgreSQL stores none, and nobody types one. */
const HAS_NUL = 'it has a NUL'

/** A form that nobody can read: 400. */
const unreadable = (why: string) => Object.assign(new Error(`the form cannot be read: ${why}`), { statusCode: 400 })

/** Icon, style, scripts and logos. */
function serveFiles(app: FastifyInstance, deps: ConsoleDeps): void {
  for (const url of ICON_PATHS) app.get(url, async (_request, reply) => reply.headers(ICON_HEADERS).send(ICON))
  app.get(ADMIN_SCRIPT_PATH, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('text/javascript; charset=utf-8')
      .send(ADMIN_SCRIPT),
  )
  serveConsoleAssets(app)
  // At the address that payment pages have for it, and as public.
  app.get(
    LOGO_ROUTE,
    answerLogo(deps.logo, async (_request, reply) => reply.code(404).send()),
  )
}

/** The fields of a form with files, whose bytes become base64, and their names fields of their own. */
async function fieldsWithFiles(contentType: string, body: Buffer): Promise<URLSearchParams> {
  const sent = await new Response(Uint8Array.from(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw unreadable('it is no multipart/form-data')
    })
  const fields = new URLSearchParams()
  for (const [name, value] of sent) {
    if (typeof value === 'string' && value.includes('\0')) throw unreadable(HAS_NUL)
    fields.append(name, typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64'))
    if (typeof value !== 'string') fields.append(`${name}_name`, value.name)
  }
  return fields
}

function answerFailures(app: FastifyInstance, deps: ConsoleDeps): void {
  app.setErrorHandler(async (error: { readonly statusCode?: number }, request, reply) => {
    const isFault = (error.statusCode ?? 500) >= 500
    const isOutage = error instanceof StorageUnavailable || error instanceof PasswordsBusy
    if (isFault) request.log.error({ err: error }, 'request failed')
    return sendFailurePage(deps, request, reply, isOutage ? 503 : (error.statusCode ?? 500))
  })
  app.setNotFoundHandler(async (request, reply) => {
    const visit = await readVisit(deps, request)
    const say = visit.viewer.texts(SIGN_IN_TEXTS)
    return sendPage(
      reply.code(404),
      messagePage(visit, {
        title: say('nothingHere'),
        text: say('nothingHereText'),
        next: { href: '/', text: say('toFirstPage') },
      }),
    )
  })
}

/** Without a visit: the database may be away. */
function sendFailurePage({ isSandbox }: ConsoleDeps, request: FastifyRequest, reply: FastifyReply, status: number) {
  const viewer = viewerOfRequest(request)
  const text = viewer.say(status >= 500 ? 'wentWrong' : 'notRead')
  const [title, content] = [refusalTitle(viewer, status), html`<p>${text}</p>`]
  return sendPage(reply.code(status), consolePage({ viewer, isSandbox, url: '/', title, content }))
}
