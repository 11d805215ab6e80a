import type { FastifyInstance } from 'fastify'
import type { AdminData, AdminOperationName } from '../../api/handler.ts'
import type { ConsoleDeps, Opened } from '../console-routes.ts'
import type { Field } from '../look/form.ts'
import { dayBegins } from '../payments/amounts.ts'
import { FieldFault, filledIn, serveTask, type Task } from '../task.ts'
import { TEXTS } from './texts.ts'

const BACK = '/reconciliation/statements'
/** Of the contract, in base64; the form has other fields beside. */
const FILE_BYTES_MAX = 4 * 1_048_576
const FORM_BYTES_MAX = FILE_BYTES_MAX + 65_536

const railField = async ({ show, viewer }: Opened): Promise<Field> => ({
  name: 'rail_account',
  label: viewer.texts(TEXTS)('railAccount'),
  type: 'select',
  options: (await show('listRailAccounts')).items.map(({ name }) => [name, name]),
})

function finished(opened: Opened, { lines, new_lines: anew, skipped }: AdminData<'importStatement'>) {
  const { number } = opened.viewer
  const counts = { lines: number(lines), anew: number(anew), skipped: number(skipped) }
  return opened.done(BACK, opened.viewer.texts(TEXTS)('importDone', counts))
}

/** Imports statements of operators: a file, or what an API lists. */
export function serveImports(app: FastifyInstance, deps: ConsoleDeps): void {
  const shared = { at: 'reconciliation', needs: 'session' } as const
  serveTask(app, deps, { ...shared, url: '/reconciliation/import', ...IMPORT })
  serveTask(app, deps, { ...shared, url: '/reconciliation/pull', ...PULL })
}

type Parts<Name extends AdminOperationName> = Omit<Task<Name>, 'url' | 'at' | 'needs'>

const IMPORT: Parts<'importStatement'> = {
  operation: 'importStatement',
  bytesMax: FORM_BYTES_MAX,
  async form(opened) {
    const say = opened.viewer.texts(TEXTS)
    return {
      title: say('importTitle'),
      back: { href: BACK, text: say('imports') },
      willHappen: say('importWill'),
      fields: [
        await railField(opened),
        {
          name: 'content',
          label: say('file'),
          hint: say('fileHint'),
          type: 'file',
          accept: '.csv,.xml,text/csv,text/xml',
        },
        { name: 'account', label: say('account'), hint: say('accountHint'), isOptional: true, autocomplete: 'off' },
        { name: 'skip_unreadable', label: say('skipUnreadable'), type: 'checkbox', isOptional: true },
      ],
      submit: say('importButton'),
    }
  },
  input(fields, opened) {
    const content = fields.get('content') ?? ''
    if (content === '') throw new FieldFault('content', opened.viewer.texts(TEXTS)('noFile'))
    return {
      params: { rail_account: fields.get('rail_account') ?? '' },
      body: {
        file: fields.get('content_name')?.slice(0, 200) || 'statement',
        content,
        ...filledIn(fields, 'account'),
        skip_unreadable: fields.get('skip_unreadable') === 'yes',
      },
    }
  },
  done: finished,
}

const PULL: Parts<'pullStatement'> = {
  operation: 'pullStatement',
  async form(opened) {
    const say = opened.viewer.texts(TEXTS)
    return {
      title: say('pullTitle'),
      back: { href: BACK, text: say('imports') },
      willHappen: say('pullWill'),
      fields: [await railField(opened), { name: 'since', label: say('sinceDay'), type: 'date' }],
      submit: say('pullButton'),
    }
  },
  input: (fields, { viewer }) => ({
    params: { rail_account: fields.get('rail_account') ?? '' },
    body: { since: dayBegins(fields.get('since') ?? '', viewer.zone) },
  }),
  done: finished,
}
