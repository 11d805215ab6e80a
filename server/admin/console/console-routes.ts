import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FindLogo } from '../../payment-page/logo-route.ts'
import type { OrderType } from '../../domain/provider.ts'
import { refusalOf, type Actor } from '../../domain/people/actor.ts'
import type { AdminApi, PageCall, PageReply } from '../api/admin-api.ts'
import type { AdminData, AdminOperationName } from '../api/handler.ts'
import { actorOf } from '../queries/person.ts'
import { readAttention } from '../queries/today.ts'
import { frameOf } from '../sign-in/admin-page.ts'
import { adminRoutes, sendPage, type AdminDeps, type Arrival, type SignedVisit } from '../sign-in/admin-routes.ts'
import { isSecure } from '../sign-in/visit.ts'
import type { FormPage } from './look/form.ts'
import { navigationFor, type PageName } from './look/navigation.ts'
import { advancedTime, consolePage, refusalTitle, type ConsolePage, type Flash } from './look/page.ts'
import { cookieValue } from './look/viewer.ts'

export interface ConsoleDeps extends AdminDeps {
  readonly logo: FindLogo
  /** The phones of the sandbox's simulated customers. */
  readonly phone?: {
    /** @param reference ours */
    waits(reference: string): Promise<boolean>
    /** @returns false when the payment waits for no phone (any more) */
    decide(
      order: { readonly internalReference: string; readonly type: OrderType },
      decision: 'approve' | 'decline',
    ): Promise<boolean>
  }
}

type Input<Name extends AdminOperationName> = Omit<PageCall<Name>, 'actor' | 'requestId'>

/** A page that somebody opened, and what it is made with. */
export interface Opened extends FormPage {
  readonly visit: SignedVisit
  readonly actor: Actor
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly reply: FastifyReply
  /**
   * Calls an operation of the admin API in the process, with its checks of role and input.
   * @throws Refused by an operation that shows something; a change returns why it was refused
   */
  show<Name extends AdminOperationName>(name: Name, input?: Input<Name>): Promise<AdminData<Name>>
  change<Name extends AdminOperationName>(name: Name, input: Input<Name>): Promise<PageReply<AdminData<Name>>>
  stream<Name extends AdminOperationName>(name: Name, input?: Input<Name>): ReturnType<AdminApi['stream']>
  /** Leads to a page after something was done, which says so once. */
  done(path: string, text: string): FastifyReply
  /** Whether the role of this person may use the operation (`domain/people/roles.ts`). */
  may(operation: string): boolean
}

type PageParts = Pick<ConsolePage, 'title' | 'content' | 'heading' | 'back' | 'aside' | 'searched' | 'flash' | 'head'>

/** There is nothing to show, or an operation refused to: the page says so, and why where there is a message. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Registers pages and forms of the console: for who is signed in, in their language and zone. */
export function consoleRoutes(app: FastifyInstance, deps: ConsoleDeps) {
  const routes = adminRoutes(app, deps)

  const answer = async (opened: Opened, at: PageName, run: () => Promise<PageParts | FastifyReply>) => {
    try {
      // A reply is a promise of its own end, without a value.
      const made = (await run()) as PageParts | undefined
      if (made === undefined) return opened.reply
      return sendPage(opened.reply, await page(deps, opened, at, withFlash(deps, opened, made)))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const parts = { title: refusalTitle(opened.viewer, error.status), content: '' }
      const flash: Flash | undefined = error.message === '' ? undefined : { kind: 'failed', text: error.message }
      return sendPage(opened.reply.code(error.status), await page(deps, opened, at, { ...parts, flash }))
    }
  }

  return {
    /** A page. @param needs `recent` where who looks must have proved lately who they are */
    page: (route: {
      readonly url: string
      readonly at: PageName
      readonly needs?: 'session' | 'recent'
      readonly handle: (opened: Opened) => Promise<PageParts | FastifyReply>
    }) =>
      routes.page({
        url: route.url,
        needs: route.needs ?? 'session',
        handle: (arrival) => {
          const opened = openedBy(deps, arrival)
          return answer(opened, route.at, () => route.handle(opened))
        },
      }),
    /**
     * A form: a redirect after what was done, or its page again with what is wrong.
     * @param needs `recent` where money moves or somebody gets access
     */
    form: (route: {
      readonly url: string
      readonly at: PageName
      readonly needs: 'session' | 'recent'
      readonly bytesMax?: number
      readonly handle: (opened: Opened, fields: URLSearchParams) => Promise<PageParts | FastifyReply>
    }) =>
      routes.form({
        url: route.url,
        needs: route.needs,
        bytesMax: route.bytesMax,
        handle: (arrival, fields) => {
          const key = fields.get('idempotency_key') ?? randomUUID()
          const opened = { ...openedBy(deps, arrival), idempotencyKey: key }
          return answer(opened, route.at, () => route.handle(opened, fields))
        },
      }),
  }
}

function openedBy(deps: ConsoleDeps, { visit, request, reply }: Arrival<SignedVisit>): Opened {
  const { session, address, formToken } = visit
  const actor = actorOf(session.person, address)
  const who = { actor, requestId: request.id }
  const { api } = deps
  return {
    visit,
    actor,
    viewer: visit.viewer,
    params: request.params as Readonly<Record<string, string>>,
    query: new URLSearchParams(request.url.split('?', 2)[1]),
    reply,
    formToken,
    idempotencyKey: randomUUID(),
    async show(name, input) {
      const shown = await api.call(name, { ...input, ...who })
      if (shown.ok === true) return shown.data
      throw shown.ok === 'waits' ? new Error(`${name} changes something`) : new Refused(shown.status, shown.message)
    },
    change: (name, input) => api.call(name, { ...input, ...who }),
    stream: (name, input) => api.stream(name, { ...input, ...who }),
    done: (path, text) => setFlash(deps, reply, text).redirect(path, 303),
    may: (operation) => refusalOf(actor, operation) === undefined,
  }
}

const page = async (deps: ConsoleDeps, { visit, viewer, actor }: Opened, at: PageName, parts: PageParts) => {
  const { isSandbox, person, url } = frameOf(visit)
  const merchantId = actor.kind === 'merchant' ? actor.merchantId : undefined
  const waiting = await readAttention(deps.pool, merchantId, deps.clock.now(), [
    'approvals',
    'open_exceptions',
    'on_suspense',
  ])
  const { approvals, open_exceptions: exceptions = 0, on_suspense: onSuspense = 0 } = waiting
  const counts = { approvals, reconciliation: exceptions + onSuspense }
  return consolePage({
    viewer,
    person,
    isSandbox,
    sandboxTime: advancedTime(deps),
    url,
    navigation: { ...navigationFor(actor, at, deps.inboxUrl), counts },
    ...parts,
  })
}

const FLASH = 'malipo_flash'

/** In a cookie and not in the address: a link from elsewhere must not make our page say something. */
const setFlash = (deps: ConsoleDeps, reply: FastifyReply, text: string | undefined): FastifyReply =>
  reply.header(
    'set-cookie',
    `${FLASH}=${text === undefined ? '; Max-Age=0' : encodeURIComponent(text)}; Path=/; HttpOnly; SameSite=Strict${isSecure(deps) ? '; Secure' : ''}`,
  )

/** What was done before, said once. */
function withFlash(deps: ConsoleDeps, { reply }: Opened, parts: PageParts): PageParts {
  const text = cookieValue(reply.request.headers.cookie, FLASH)
  if (text === undefined || parts.flash) return parts
  setFlash(deps, reply, undefined)
  return { ...parts, flash: { kind: 'done', text: text.slice(0, 500) } }
}
