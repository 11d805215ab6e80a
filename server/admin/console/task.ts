import type { FastifyInstance, FastifyReply } from 'fastify'
import type { PageCall } from '../api/admin-api.ts'
import type { AdminData, AdminOperationName } from '../api/handler.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from './console-routes.ts'
import { pageTexts } from './look/languages.ts'
import { actionForm, type ActionForm } from './look/form.ts'
import type { PageName } from './look/navigation.ts'
import type { ConsolePage } from './look/page.ts'
import { section, type Link } from './look/values.ts'

type TaskPage = Pick<ConsolePage, 'title' | 'content' | 'back'>

/** What the form of a task looks like now. */
interface TaskForm extends Pick<
  ActionForm,
  'willHappen' | 'fields' | 'asksReason' | 'values' | 'submit' | 'isDangerous'
> {
  readonly title: string
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
  /** Of its form, where it has a file; absent: as other forms. */
  readonly bytesMax?: number
  readonly form: (opened: Opened) => Promise<TaskForm>
  /** What the fields ask for; throws FieldFault for what the page itself refuses. */
  readonly input: (fields: URLSearchParams, opened: Opened) => TaskInput<Name> | Promise<TaskInput<Name>>
  /** Says what was done; where something is shown once, its page. */
  readonly done: (opened: Opened, data: AdminData<Name>) => FastifyReply | TaskPage
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
  { url, at, needs, operation, bytesMax, form, input, done }: Task<Name>,
): void {
  const routes = consoleRoutes(app, deps)
  const page = async (opened: Opened, changed: Pick<ActionForm, 'values' | 'errors'> = {}): Promise<TaskPage> => {
    const { title, above = '', back, values, ...parts } = await form(opened)
    const { viewer, formToken, idempotencyKey, reply } = opened
    const action = (reply.request.url.split('?', 1)[0] ?? url).slice(0, 500)
    const filled = { ...values, ...changed.values }
    const whole = { ...parts, ...changed, values: filled, action, formToken, idempotencyKey, cancel: back.href }
    return { title, back, content: `${above}${section(undefined, actionForm(viewer, whole))}` }
  }
  routes.page({ url, at, needs, handle: page })
  routes.form({
    url,
    at,
    needs,
    ...(bytesMax !== undefined && { bytesMax }),
    async handle(opened, fields) {
      const typed = Object.fromEntries(fields)
      try {
        const reply = await opened.change(operation, { ...(await input(fields, opened)), key: opened.idempotencyKey })
        if (reply.ok === true) return done(opened, reply.data)
        const { back } = await form(opened)
        if (reply.ok === 'waits')
          return opened.done(back.href, opened.viewer.texts(TEXTS)('waits', { id: reply.approvalId }))
        return await page(opened, { values: typed, errors: { [fieldOf(reply.message, fields)]: reply.message } })
      } catch (error) {
        if (!(error instanceof FieldFault)) throw error
        return page(opened, { values: typed, errors: { [error.field]: error.message } })
      }
    },
  })
}

/** Messages about a field begin with its name, as in the contract. */
function fieldOf(message: string, fields: URLSearchParams): string {
  const [name = ''] = message.split(' ', 1)
  return fields.has(name) ? name : ''
}

/** The fields that somebody filled in, by the names of the contract, which says what is missing. */
export const filledIn = <Name extends string>(
  fields: URLSearchParams,
  ...names: readonly Name[]
): { readonly [Each in Name]: string | undefined } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = fields.get(name)?.trim() ?? ''
      return value === '' ? [] : [[name, value]]
    }),
  ) as { readonly [Each in Name]: string | undefined }

/** A percentage as a form has it, in basis points; nothing where it is empty. */
export function basisPoints<Name extends string>(
  fields: URLSearchParams,
  name: Name,
): { readonly [Each in Name]?: number | string } {
  const text = fields.get(name)?.trim().replace(',', '.') ?? ''
  const value = /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : text
  return (text === '' ? {} : { [name]: value }) as { readonly [Each in Name]?: number | string }
}
