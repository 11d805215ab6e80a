import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leafCommands } from '../../admin/cli/testing/usage.ts'
import { refusalOf, type Actor } from './actor.ts'
import { MERCHANT_OPERATIONS, MERCHANT_ROLES, OPERATIONS, STAFF_ROLES } from './roles.ts'

/** One letter for each role, in the order of the lists: `x` may, `.` may not. */
const grid = (text: string): readonly (readonly [operation: string, cells: string])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => /^\s*(.*\S) +([x.]+)$/.exec(line)?.slice(1) as [string, string])

// admin, finance, support, developer, read-only
const STAFF = grid(`
  serve                  .....
  demo                   .....
  migrate                .....
  months                 .....
  people first-admin     .....
  login                  xxxxx
  logout                 xxxxx
  settings               xxxxx
  whoami                 xxxxx
  people list            xxxxx
  people invite          x....
  people reset           x....
  people change          x....
  people end             x....
  audit list             xxxxx
  audit show             xxxxx
  audit verify           xxxxx
  merchant list          xxxxx
  merchant show          xxxxx
  merchant create        x....
  merchant set           x..x.
  merchant brand         x.xx.
  merchant suspend       xxx..
  merchant resume        xx...
  merchant limits list   xxxxx
  merchant limits set    xx...
  merchant limits remove xx...
  merchant charges list  xxxxx
  merchant charges set   xx...
  merchant charges remove xx...
  keys list              xxxxx
  keys rotate            x..x.
  keys withdraw          x..x.
  keys reseal            x....
  provider list          xxxxx
  provider add           x..x.
  provider set           xx...
  rate list              xxxxx
  rate set               xx...
  rail list              xxxxx
  rail kinds             xxxxx
  rail show              xxxxx
  rail log               xxxxx
  rail check             xxxx.
  rail probe             x..x.
  rail balance           xxxx.
  rail add               x..x.
  rail set               x..x.
  rail remove            x..x.
  rail book              xx...
  wallet show            xxxxx
  wallet deposit         xx...
  wallet transfer        xx...
  transaction list       xxxxx
  transaction show       xxxxx
  transaction show --full xxx..
  transaction events     xxxxx
  transaction resolve    xx...
  transaction refund     xx...
  transaction cancel     xxx..
  payout list            xxxxx
  payout show            xxxxx
  payout template        xxxxx
  payout batch           x....
  payout retry           x....
  callback list          xxxxx
  callback show          xxxxx
  callback resend        xxxx.
  report volume          xxxxx
  report balances        xxxxx
  report statement       xxxxx
  approval list          xxxxx
  approval show          xxxxx
  approval approve       xx.x.
  approval refuse        xx.x.
  approval rules list    xxxxx
  approval rules set     x....
  approval rules remove  x....
  statement list         xxxxx
  statement import       xx...
  statement pull         xx...
  reconcile list         xxxxx
  reconcile claims       xxxxx
  reconcile show         xxxxx
  reconcile note         xxx..
  reconcile assign       xxx..
  reconcile run          xx...
  reconcile end          xx...
  suspense list          xxxxx
  suspense return        xx...
  suspense take          xx...
  archive run            x....
  archive show           xxxxx
  archive check          xxxxx
  ledger anchor          xxxxx
  doctor                 xxxxx`)

// owner, finance, developer, read-only
const MERCHANT = grid(`
  whoami                 xxxx
  merchant show          xxxx
  wallet show            xxxx
  transaction list       xxxx
  transaction show       xxxx
  transaction events     xxxx
  report statement       xxxx
  transaction show --full xx..
  transaction refund     xx..
  transaction cancel     xx..
  payout list            xxxx
  payout show            xxxx
  payout batch           xx..
  payout retry           xx..
  callback list          xxxx
  callback show          xxxx
  callback resend        x.x.
  approval list          xxxx
  approval show          xxxx
  approval approve       xx..
  approval refuse        xx..
  keys list              x.x.
  keys rotate            x.x.
  merchant set           x.x.
  merchant brand         x...
  people list            x...
  people invite          x...
  people reset           x...
  people change          x...
  people end             x...`)

const person = { name: 'Amina', address: 'desk-1', personId: 1n } as const
const cellsOf = (operation: string, actors: readonly Actor[]): string =>
  actors.map((actor) => (refusalOf(actor, operation) === undefined ? 'x' : '.')).join('')

test.each(STAFF)('staff may do %s: %s', (operation, cells) => {
  expect(
    cellsOf(
      operation,
      STAFF_ROLES.map((role) => ({ ...person, kind: 'staff', role })),
    ),
  ).toBe(cells)
})

test.each(MERCHANT)('people of a merchant may do %s: %s', (operation, cells) => {
  const actors = MERCHANT_ROLES.map((role) => ({ ...person, kind: 'merchant', merchantId: 1n, role }) as const)
  expect(cellsOf(operation, actors)).toBe(cells)
})

test('every command and every operation has its cells', async () => {
  const named = (rows: typeof STAFF) => rows.map(([operation]) => operation).toSorted()
  const commands = [...(await leafCommands()), ...Object.keys(OPERATIONS).filter((name) => name.includes(' --'))]
  expect(named(STAFF)).toEqual(commands.toSorted())
  expect(Object.keys(OPERATIONS).toSorted()).toEqual(commands.toSorted())
  expect(named(MERCHANT)).toEqual(Object.keys(MERCHANT_OPERATIONS).toSorted())
})

test('leaves an operation without a row to the admins', () => {
  expect(
    cellsOf(
      'money burn',
      STAFF_ROLES.map((role) => ({ ...person, kind: 'staff', role })),
    ),
  ).toBe('x....')
  const owner: Actor = { ...person, kind: 'merchant', merchantId: 1n, role: 'owner' }
  expect(refusalOf(owner, 'rate set')).toBe('rate set is for staff, and Amina has the role owner')
})

test('names the roles that may', () => {
  expect(refusalOf({ ...person, kind: 'staff', role: 'support' }, 'wallet deposit')).toBe(
    'wallet deposit is for the role admin or finance, and Amina has the role support',
  )
})

test('the page "For your team" has the table', () => {
  const page = readFileSync(new URL('../../../openapi/pages/for-your-team.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (`.*`) +\| (.*) \|$/gm)].flatMap(([, names = '', cells = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => `${name} ${cells.replaceAll(/\W/g, '')}`),
  )
  const changing = STAFF.filter(([, cells]) => cells !== '.....' && cells !== 'xxxxx').map(
    ([operation, cells]) => `${operation} ${cells.replaceAll('x', 'yes').replaceAll('.', 'no')}`,
  )
  expect(rows.toSorted()).toEqual(changing.toSorted())
})
