import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from 'ghtml'
import { MERCHANT_ROLES, STAFF_ROLES } from '../../../domain/people/roles.ts'
import type { AdminData } from '../../api/handler.ts'
import { nextPage } from '../look/table.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { typed } from '../form-errors.ts'
import { pager, table } from '../look/table.ts'
import { badge, button, emptyState, facts, section, when } from '../look/values.ts'
import { onceShown } from '../once-shown.ts'
import { serveTask, type Task } from '../task.ts'
import { TEXTS } from './texts.ts'

type Person = AdminData<'showPerson'>
type Outcome = AdminData<'invitePerson'>

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
  const older = nextPage('/people', query, next)
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

const INVITE: Task<'invitePerson'> = {
  url: '/people/new',
  at: 'people',
  needs: 'recent',
  operation: 'invitePerson',
  async form(opened, fields) {
    const { viewer, actor } = opened
    const say = viewer.texts(TEXTS)
    const { merchant, ...values } = typed(fields)
    const owner = await ownerOf(opened, merchant)
    const roles = rolesFor(actor.kind === 'merchant' || merchant !== undefined).toReversed()
    return {
      title: say('invite'),
      subtitle: owner.name === undefined ? undefined : say('peopleOf', { merchant: owner.name }),
      back: { href: `/people${owner.query}`, text: viewer.say('people') },
      ...(merchant !== undefined && { hidden: { merchant } }),
      fields: [
        { name: 'name', label: say('name'), hint: say('nameHint'), lengthMax: 100, autocomplete: 'off' },
        { name: 'email', label: say('email'), type: 'email', lengthMax: 254, autocomplete: 'off' },
        { name: 'role', label: say('role'), hint: say('roleHint'), type: 'select', options: roles },
      ],
      asksReason: true,
      values,
      willHappen: say('willInvite'),
      submit: say('doInvite'),
    }
  },
  input(fields) {
    const { email, name, role, merchant, reason } = typed(fields)
    return { body: { email, name, role, merchant, reason } }
  },
  done: (opened, data) => after(opened, data, 'endedNow'),
  waits,
}

/** What is done with a person, by the last part of the address. */
const FORMS = {
  role: { title: 'changeRole', willHappen: 'willChange', submit: 'doChange', operation: 'changePersonRole' },
  reset: { title: 'reset', willHappen: 'willReset', submit: 'doReset', operation: 'resetSignIn' },
  end: { title: 'end', willHappen: 'willEnd', submit: 'doEnd', operation: 'endPersonAccess' },
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

const taskOf = (form: FormName): Task<(typeof FORMS)[FormName]['operation']> => ({
  url: `/people/:person/${form}`,
  at: 'people',
  // Asked for before the form is filled in: nothing typed is lost.
  needs: 'recent',
  operation: FORMS[form].operation,
  async form(opened) {
    const say = opened.viewer.texts(TEXTS)
    const { id, name, role, merchant_id: merchantId } = await personOf(opened)
    const { title, willHappen, submit } = FORMS[form]
    const options = rolesFor(merchantId !== undefined).filter(([known]) => known !== role)
    return {
      title: say(title),
      heading: html`${name}: ${say(title)}`,
      back: { href: `/people/${id}`, text: name },
      ...(form === 'role' && { fields: [{ name: 'role', label: say('role'), type: 'select', options }] }),
      asksReason: true,
      isDangerous: form !== 'role',
      willHappen: say(willHappen, { name }),
      submit: say(submit),
    }
  },
  input(fields, { params }) {
    const { role, reason } = typed(fields)
    return { params: { person: params['person'] ?? '' }, body: { ...(form === 'role' && { role }), reason } }
  },
  done: (opened, data) => after(opened, data, form === 'role' ? 'changed' : 'endedNow'),
  waits,
})

/** What follows a change: its secrets once, or a page that says what was done. */
function after(opened: Opened, outcome: Outcome, text: 'changed' | 'endedNow') {
  const { name = '', role = '' } = outcome
  return outcome.sign_in_link !== undefined || outcome.login_code !== undefined
    ? onceShown(opened, outcome)
    : opened.done('/people', opened.viewer.texts(TEXTS)(text, { name, role }))
}

function waits(opened: Opened, id: string): FastifyReply {
  return opened.done('/people', opened.viewer.texts(TEXTS)('waits', { id }))
}

/** Who has access: staff, and for owners the people of their merchant. */
export function servePeople(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page } = consoleRoutes(app, deps)
  page({
    url: '/people',
    at: 'people',
    handle: async (opened) => {
      const { query, show } = opened
      const [merchant, next] = [query.get('merchant') ?? undefined, query.get('after') ?? undefined]
      return listPage(opened, await show('listPeople', { query: { merchant, after: next } }))
    },
  })
  serveTask(app, deps, INVITE)
  page({ url: '/people/:person', at: 'people', handle: personPage })
  for (const name of Object.keys(FORMS) as FormName[]) serveTask(app, deps, taskOf(name))
}
