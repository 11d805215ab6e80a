import type { FastifyInstance, FastifyReply } from 'fastify'
import type { PageCall } from '../api/admin-api.ts'
import type { AdminData, AdminOperationName } from '../api/handler.ts'
import { queryOf } from './amounts.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from './console-routes.ts'
import { fieldNamed } from './form-errors.ts'
import { pageTexts } from './look/languages.ts'
import { actionForm, type ActionForm } from './look/form.ts'
import type { PageName } from './look/navigation.ts'
import type { ConsolePage } from './look/page.ts'
import { section, type Link } from './look/values.ts'

type TaskPage = Pick<ConsolePage, 'title' | 'heading' | 'content' | 'back'>

/** What the form of a task looks like now. */
interface TaskForm extends Pick<
  ActionForm,
  'willHappen' | 'fields' | 'hidden' | 'asksReason' | 'values' | 'submit' | 'isDangerous' | 'cancel'
> {
  readonly title: string
  /** Markup instead of the title as the heading. */
  readonly heading?: string
  /** Of the part of the page that has the form. */
  readonly subtitle?: string | undefined
  /** Markup above the form. */
  readonly above?: string
  readonly back: Link
}

type TaskInput<Name extends AdminOperationName> = Pick<PageCall<Name>, 'params' | 'body'>

/** A page with one form, which calls one operation of the admin API. */
export interface Task<Name extends AdminOperationName> {
  /** Of the page, and where its form is sent. */
  readonly url: string
  readonly at: PageName
  /** `recent`: where money moves or somebody gets access. */
  readonly needs: 'session' | 'recent'
  readonly operation: Name
  /** The operation has no idempotency key: sent twice, it is done and audited twice. */
  readonly isKeyless?: true
  /** Of its form, where it has a file; absent: as other forms. */
  readonly bytesMax?: number
  /** @param fields what was typed, or what the address says about a form that is opened */
  readonly form: (opened: Opened, fields: URLSearchParams) => Promise<TaskForm>
  /** What the fields ask for; throws FieldFault for what the page itself refuses. */
  readonly input: (fields: URLSearchParams, opened: Opened) => TaskInput<Name> | Promise<TaskInput<Name>>
  /** Says what was done; where something is shown once, its page. */
  readonly done: (opened: Opened, data: AdminData<Name>) => FastifyReply | TaskPage
  /** Says that a second person must approve it; absent: on the page that the form leads back to. */
  readonly waits?: (opened: Opened, approvalId: string) => FastifyReply
}

/** A field that the page refuses, before any operation is asked. */
export class FieldFault extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

const TEXTS = pageTexts({
  en: { waits: 'Request {id} waits for a second person: nothing is changed until somebody else approves it.' },
  fr: { waits: 'La demande {id} attend une deuxième personne : rien ne change avant son approbation.' },
})

/** Registers the page of a task and its form, which keeps what was typed when something is wrong with it. */
export function serveTask<Name extends AdminOperationName>(
  app: FastifyInstance,
  deps: ConsoleDeps,
  { url, at, needs, operation, isKeyless, bytesMax, form, input, done, waits }: Task<Name>,
): void {
  const routes = consoleRoutes(app, deps)
  const page = async (opened: Opened, typed?: URLSearchParams, fault?: Error): Promise<TaskPage> => {
    const parts = await form(opened, typed ?? opened.query)
    const { title, heading, subtitle, above = '', back, values, ...shown } = parts
    const whole = {
      cancel: back.href,
      ...shown,
      action: (opened.reply.request.url.split('?', 1)[0] ?? url).slice(0, 500),
      values: { ...values, ...Object.fromEntries(typed ?? []) },
      ...(fault && { errors: { [fieldOf(fault, parts)]: fault.message } }),
    }
    const content = `${above}${section(subtitle, actionForm(opened, whole))}`
    return { title, back, content, ...(heading !== undefined && { heading }) }
  }
  routes.page({ url, at, needs, handle: (opened) => page(opened) })
  routes.form({
    url,
    at,
    needs,
    ...(bytesMax !== undefined && { bytesMax }),
    async handle(opened, fields) {
      try {
        const key = isKeyless ? {} : { key: opened.idempotencyKey }
        const reply = await opened.change(operation, { ...(await input(fields, opened)), ...key })
        if (reply.ok === true) return done(opened, reply.data)
        if (reply.ok === false) return await page(opened, fields, new Error(reply.message))
        if (waits) return waits(opened, reply.approvalId)
        const { back } = await form(opened, fields)
        return opened.done(back.href, opened.viewer.texts(TEXTS)('waits', { id: reply.approvalId }))
      } catch (error) {
        if (!(error instanceof FieldFault)) throw error
        return page(opened, fields, error)
      }
    },
  })
}

/** Messages about a field begin with its name, as in the contract. */
const fieldOf = (fault: Error, { fields = [], asksReason }: TaskForm): string =>
  fault instanceof FieldFault
    ? fault.field
    : fieldNamed(fault.message, [...fields.map(({ name }) => name), ...(asksReason ? ['reason'] : [])])

/** The fields that somebody filled in, by the names of the contract, which says what is missing. */
export const filledIn = <Name extends string>(
  fields: URLSearchParams,
  ...names: readonly Name[]
): { readonly [Each in Name]: string | undefined } =>
  queryOf(fields, names) as { readonly [Each in Name]: string | undefined }

/** A percentage as a form has it, in basis points; nothing where it is empty. */
export function basisPoints<Name extends string>(
  fields: URLSearchParams,
  name: Name,
): { readonly [Each in Name]?: number | string } {
  const text = fields.get(name)?.trim().replace(',', '.') ?? ''
  const value = /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : text
  return (text === '' ? {} : { [name]: value }) as { readonly [Each in Name]?: number | string }
}
