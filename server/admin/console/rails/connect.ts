import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData, AdminOperationName } from '../../api/handler.ts'
import { consoleRoutes, Refused, type ConsoleDeps, type Opened } from '../console-routes.ts'
import type { Field } from '../look/form.ts'
import { known } from '../look/known.ts'
import { table } from '../look/table.ts'
import { section } from '../look/values.ts'
import type { Viewer } from '../look/viewer.ts'
import { filledIn, serveTask, type Task } from '../task.ts'
import { TEXTS } from './texts.ts'

type Kind = AdminData<'listRailKinds'>['items'][number]
const PATH = '/rails'
const CONNECT = '/connect'
/** Removes an optional setting: what is left empty stays as it is. */
const NONE = '-'

const back = (name: string) => ({ href: `${PATH}/${name}`, text: name })

/** The kind of the page's address. @throws Refused when there is none */
async function kindOf({ show }: Opened, name: string | undefined): Promise<Kind> {
  const kind = (await show('listRailKinds')).items.find((each) => each.kind === name)
  if (!kind) throw new Refused(404, `there is no kind of rail ${name ?? ''}`)
  return kind
}

const typeOf = (name: string) => (name.endsWith('certificate') ? 'textarea' : 'text')

/** What a setting is; a certificate has several lines, and a secret is only written. */
const fieldOf =
  (viewer: Viewer, isNew: boolean) =>
  ({
    name,
    meaning,
    is_secret: isSecret,
    is_required: isRequired,
    default: usual,
  }: Kind['settings'][number]): Field => ({
    name,
    label: name,
    hint: `${known(viewer, meaning).replaceAll('`', '')}${usual === undefined ? '' : ` (${usual})`}`,
    type: isSecret ? 'secret' : typeOf(name),
    isOptional: !isNew || !isRequired,
    lengthMax: 20_000,
    autocomplete: 'off',
  })

/** The settings that somebody filled in. */
const settingsIn = (fields: URLSearchParams, { settings }: Kind) =>
  settings.flatMap(({ name }) => {
    const value = (fields.get(name) ?? '').replaceAll('\r\n', '\n').trim()
    return value === '' ? [] : [{ name, value: value === NONE ? '' : value }]
  })

/** Connects operators, changes their settings and removes them. */
export function serveConnections(app: FastifyInstance, deps: ConsoleDeps): void {
  const shared = { at: 'rails', needs: 'recent' } as const
  consoleRoutes(app, deps).page({ url: CONNECT, at: 'rails', handle: kindsPage })
  serveTask(app, deps, { ...shared, url: `${CONNECT}/:kind`, ...ADD })
  serveTask(app, deps, { ...shared, url: `${PATH}/:rail_account/settings`, ...SET })
  serveTask(app, deps, { ...shared, url: `${PATH}/:rail_account/remove`, ...REMOVE })
}

type Parts<Name extends AdminOperationName> = Omit<Task<Name>, 'url' | 'at' | 'needs'>

const ADD: Parts<'addRailAccount'> = {
  operation: 'addRailAccount',
  async form(opened) {
    const say = opened.viewer.texts(TEXTS)
    const kind = await kindOf(opened, opened.params.kind)
    return {
      title: say('addTitle', { title: kind.title }),
      back: { href: CONNECT, text: say('add') },
      willHappen: say('addWill'),
      fields: [
        { name: 'rail_account', label: say('name'), hint: say('nameHint'), lengthMax: 40 },
        { name: 'currency', label: say('currency'), lengthMin: 3, lengthMax: 3 },
        { name: 'base_url', label: say('address'), type: 'url', hint: say('addressHint') },
        // What has a usual value is changed later: most connections keep it.
        ...kind.settings.filter((setting) => setting.default === undefined).map(fieldOf(opened.viewer, true)),
      ],
      asksReason: true,
      submit: say('add'),
    }
  },
  async input(fields, opened) {
    const kind = await kindOf(opened, opened.params.kind)
    const { currency, ...place } = filledIn(fields, 'rail_account', 'currency', 'base_url', 'reason')
    const settings = settingsIn(fields, kind)
    return { body: { kind: kind.kind, currency: currency?.toUpperCase(), ...place, settings } }
  },
  done: (opened, { rail_account: name = '' }) =>
    opened.done(`${PATH}/${name}`, opened.viewer.texts(TEXTS)('added', { name })),
}

const SET: Parts<'setRailAccount'> = {
  operation: 'setRailAccount',
  async form(opened) {
    const say = opened.viewer.texts(TEXTS)
    const { rail_account: rail, settings } = await shownRail(opened)
    const kind = await kindOf(opened, rail.kind)
    return {
      title: say('changeTitle', { name: rail.name }),
      back: back(rail.name),
      willHappen: say('changeWill'),
      fields: [
        { name: 'base_url', label: say('address'), type: 'url', hint: rail.base_url, isOptional: true },
        ...kind.settings.map((setting) => {
          const now = settings.find(({ name }) => name === setting.name)?.value
          const field = fieldOf(opened.viewer, false)(setting)
          return now === undefined ? field : { ...field, hint: say('now', { hint: field.hint ?? '', now }) }
        }),
        {
          name: 'tokens',
          label: say('tokens'),
          type: 'select',
          options: (['keep', 'new', 'end'] as const).map((each) => [each, say(`${each}Tokens`)]),
        },
      ],
      asksReason: true,
      submit: say('save'),
    }
  },
  async input(fields, opened) {
    const { rail_account: rail } = await shownRail(opened)
    const tokens = fields.get('tokens')
    const body = {
      ...filledIn(fields, 'base_url', 'reason'),
      settings: settingsIn(fields, await kindOf(opened, rail.kind)),
      ...(tokens === 'new' && { new_token: true }),
      ...(tokens === 'end' && { end_old_tokens: true }),
    }
    return { params: { rail_account: rail.name }, body }
  },
  done: (opened, { rail_account: name = '' }) =>
    opened.done(`${PATH}/${name}`, opened.viewer.texts(TEXTS)('changed', { name })),
}

const REMOVE: Parts<'removeRailAccount'> = {
  operation: 'removeRailAccount',
  async form(opened) {
    const say = opened.viewer.texts(TEXTS)
    const { name } = (await shownRail(opened)).rail_account
    const title = say('removeTitle', { name })
    return {
      title,
      back: back(name),
      willHappen: say('removeWill'),
      asksReason: true,
      isDangerous: true,
      submit: say('remove'),
    }
  },
  input: (fields, { params }) => ({
    params: { rail_account: params.rail_account ?? '' },
    body: filledIn(fields, 'reason'),
  }),
  done: (opened, { rail_account: name = '' }) => opened.done(PATH, opened.viewer.texts(TEXTS)('removed', { name })),
}

const shownRail = ({ show, params }: Opened) =>
  show('showRailAccount', { params: { rail_account: params.rail_account ?? '' } })

async function kindsPage({ viewer, show }: Opened) {
  const say = viewer.texts(TEXTS)
  const { items } = await show('listRailKinds')
  const kinds = table({
    caption: say('kind'),
    rows: items,
    href: ({ kind }) => `${CONNECT}/${kind}`,
    columns: [{ title: say('kind'), cell: ({ title, kind }) => html`${title} <small>${kind}</small>` }],
  })
  return { title: say('add'), back: { href: PATH, text: say('title') }, content: section(say('chooseKind'), kinds) }
}
