import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from 'ghtml'
import { MERCHANT_ROLES, STAFF_ROLES } from '../../../domain/people/roles.ts'
import type { PageReply } from '../../api/admin-api.ts'
import type { AdminData } from '../../api/handler.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { formErrors, typed, withQuery } from '../form-errors.ts'
import { actionForm } from '../look/form.ts'
import { pager, table } from '../look/table.ts'
import { badge, button, emptyState, facts, section, when } from '../look/values.ts'
import { onceShown } from '../once-shown.ts'
import { TEXTS } from './texts.ts'

type Person = AdminData<'showPerson'>
type Outcome = AdminData<'invitePerson'>
type Values = Readonly<Record<string, string>>

const accessBadge = ({ viewer }: Opened, { ended_at: endedAt }: Person): string => {
  const say = viewer.texts(TEXTS)
  return endedAt === undefined ? badge(say('active'), 'good') : badge(say('ended'), 'calm')
}

/** Whose people they are, where somebody of staff looks at those of a merchant. */
async function ownerOf({ show }: Opened, merchant: string | undefined) {
  if (merchant === undefined) return { query: '', name: undefined }
  const { name } = await show('showMerchant', { params: { merchant } })
  return { query: `?merchant=${encodeURIComponent(merchant)}`, name }
}

async function listPage(opened: Opened, { items, next }: AdminData<'listPeople'>) {
  const { viewer, query, may } = opened
  const say = viewer.texts(TEXTS)
  const owner = await ownerOf(opened, query.get('merchant') ?? undefined)
  const invite = { href: `/people/new${owner.query}`, text: say('invite') }
  const mayChange = may('people change')
  const list = table({
    caption: viewer.say('people'),
    columns: [
      { title: say('name'), cell: ({ name }: Person) => html`${name}` },
      { title: say('access'), cell: (one) => accessBadge(opened, one), onPhone: 'beside' },
      { title: say('email'), cell: ({ email }) => html`${email}` },
      { title: say('role'), cell: ({ role }) => html`${role}`, onPhone: 'left' },
      { title: say('since'), cell: (one) => when(viewer, new Date(one.created_at)), onPhone: 'right' },
    ],
    rows: items,
    ...(mayChange && { href: ({ id }: Person) => `/people/${id}` }),
  })
  const older = next === undefined ? undefined : withQuery('/people', query, 'after', next)
  return {
    title: owner.name === undefined ? viewer.say('people') : say('peopleOf', { merchant: owner.name }),
    aside: may('people invite') ? button(invite, 'primary') : '',
    content:
      items.length === 0
        ? emptyState({ title: say('none'), text: say('noneText') })
        : `${list}${older === undefined ? '' : pager(viewer, { count: items.length, next: older, order: 'oldestFirst' })}`,
  }
}

const rolesFor = (isOfMerchant: boolean) =>
  (isOfMerchant ? MERCHANT_ROLES : STAFF_ROLES).map((role) => [role, role] as const)

async function invitePage(opened: Opened, values: Values, fault?: string) {
  const { viewer, formToken, idempotencyKey, actor } = opened
  const say = viewer.texts(TEXTS)
  const { merchant } = values
  const owner = await ownerOf(opened, merchant)
  const list = `/people${owner.query}`
  const roles = rolesFor(actor.kind === 'merchant' || merchant !== undefined).toReversed()
  const form = actionForm(viewer, {
    action: '/people/new',
    formToken,
    idempotencyKey,
    ...(merchant !== undefined && { hidden: { merchant } }),
    fields: [
      { name: 'name', label: say('name'), hint: say('nameHint'), lengthMax: 100, autocomplete: 'off' },
      { name: 'email', label: say('email'), type: 'email', lengthMax: 254, autocomplete: 'off' },
      { name: 'role', label: say('role'), hint: say('roleHint'), type: 'select', options: roles },
    ],
    asksReason: true,
    values,
    ...(fault !== undefined && { errors: formErrors(fault, ['name', 'email', 'role', 'reason']) }),
    willHappen: say('willInvite'),
    submit: say('doInvite'),
    cancel: list,
  })
  return {
    title: say('invite'),
    back: { href: list, text: viewer.say('people') },
    content: section(owner.name === undefined ? undefined : say('peopleOf', { merchant: owner.name }), form),
  }
}

/** What is done with a person, by the last part of the address. */
const FORMS = {
  role: { title: 'changeRole', willHappen: 'willChange', submit: 'doChange' },
  reset: { title: 'reset', willHappen: 'willReset', submit: 'doReset' },
  end: { title: 'end', willHappen: 'willEnd', submit: 'doEnd' },
} as const
type FormName = keyof typeof FORMS

const personOf = ({ params, show }: Opened): Promise<Person> =>
  show('showPerson', { params: { person: params['person'] ?? '' } })

async function personPage(opened: Opened) {
  const { viewer, actor } = opened
  const say = viewer.texts(TEXTS)
  const person = await personOf(opened)
  const { id, name, email, role, merchant_id: merchantId } = person
  const isYou = 'personId' in actor && String(actor.personId) === id
  const links = (Object.keys(FORMS) as FormName[]).map((form) =>
    button({ href: `/people/${id}/${form}`, text: say(FORMS[form].title) }),
  )
  return {
    title: name,
    heading: html`${name} !${accessBadge(opened, person)}`,
    back: {
      href: merchantId === undefined || actor.kind === 'merchant' ? '/people' : `/people?merchant=${merchantId}`,
      text: viewer.say('people'),
    },
    content: section(
      undefined,
      html`!${facts([
        { name: say('email'), value: html`${email}` },
        { name: say('role'), value: html`${role}` },
        { name: say('since'), value: when(viewer, new Date(person.created_at)) },
        { name: say('ended'), value: person.ended_at && when(viewer, new Date(person.ended_at)) },
      ])}!${isYou ? html`<p class="soft">${say('you')}</p>` : ''}!${
        isYou || person.ended_at !== undefined ? '' : `<p class="buttons">${links.join('')}</p>`
      }`,
    ),
  }
}

async function formPage(opened: Opened, form: FormName, values: Values = {}, fault?: string) {
  const { viewer, formToken, idempotencyKey } = opened
  const say = viewer.texts(TEXTS)
  const { id, name, role, merchant_id: merchantId } = await personOf(opened)
  const { title, willHappen, submit } = FORMS[form]
  const options = rolesFor(merchantId !== undefined).filter(([known]) => known !== role)
  const content = actionForm(viewer, {
    action: `/people/${id}/${form}`,
    formToken,
    idempotencyKey,
    ...(form === 'role' && { fields: [{ name: 'role', label: say('role'), type: 'select', options }] }),
    asksReason: true,
    isDangerous: form !== 'role',
    values,
    ...(fault !== undefined && { errors: formErrors(fault, ['role', 'reason']) }),
    willHappen: say(willHappen, { name }),
    submit: say(submit),
    cancel: `/people/${id}`,
  })
  return {
    title: say(title),
    heading: html`${name}: ${say(title)}`,
    back: { href: `/people/${id}`, text: name },
    content: section(undefined, content),
  }
}

/** What follows a change: its secrets once, or a page that says what was done. */
function after(
  opened: Opened,
  made: Exclude<PageReply<Outcome>, { readonly ok: false }>,
  doneText: (outcome: Outcome) => string,
): ReturnType<typeof onceShown> | FastifyReply {
  const say = opened.viewer.texts(TEXTS)
  if (made.ok === 'waits') return opened.done('/people', say('waits', { id: made.approvalId }))
  const { data } = made
  return data.sign_in_link !== undefined || data.login_code !== undefined
    ? onceShown(opened, data)
    : opened.done('/people', doneText(data))
}

/** Who has access: staff, and for owners the people of their merchant. */
export function servePeople(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page, form } = consoleRoutes(app, deps)
  page({
    url: '/people',
    at: 'people',
    handle: async (opened) => {
      const { query, show } = opened
      const [merchant, next] = [query.get('merchant') ?? undefined, query.get('after') ?? undefined]
      return listPage(opened, await show('listPeople', { query: { merchant, after: next } }))
    },
  })
  page({
    url: '/people/new',
    at: 'people',
    needs: 'recent',
    handle: async (opened) => invitePage(opened, typed(opened.query)),
  })
  form({
    url: '/people/new',
    at: 'people',
    needs: 'recent',
    async handle(opened, fields) {
      const { email, name, role, merchant, reason } = typed(fields)
      const body = { email, name, role, merchant, reason }
      const made = await opened.change('invitePerson', { body, key: opened.idempotencyKey })
      return made.ok === false ? invitePage(opened, typed(fields), made.message) : after(opened, made, () => '')
    },
  })
  page({ url: '/people/:person', at: 'people', handle: personPage })
  for (const name of Object.keys(FORMS) as FormName[]) {
    // Asked for before the form is filled in: nothing typed is lost.
    const route = { url: `/people/:person/${name}`, at: 'people', needs: 'recent' } as const
    page({ ...route, handle: (opened) => formPage(opened, name) })
    form({
      ...route,
      async handle(opened, fields) {
        const say = opened.viewer.texts(TEXTS)
        const { role, reason } = typed(fields)
        const made = await changePerson(opened, name, { role, reason })
        return made.ok === false
          ? formPage(opened, name, typed(fields), made.message)
          : after(opened, made, (outcome) =>
              say(name === 'role' ? 'changed' : 'endedNow', { name: outcome.name ?? '', role: outcome.role ?? '' }),
            )
      },
    })
  }
}

function changePerson(
  { change, params, idempotencyKey: key }: Opened,
  name: FormName,
  { role, reason }: { readonly role: string | undefined; readonly reason: string | undefined },
): Promise<PageReply<Outcome>> {
  const person = { person: params['person'] ?? '' }
  if (name === 'role') return change('changePersonRole', { params: person, body: { role, reason }, key })
  return change(name === 'reset' ? 'resetSignIn' : 'endPersonAccess', { params: person, body: { reason }, key })
}
