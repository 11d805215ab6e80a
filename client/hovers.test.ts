import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { editorWith } from './testing/editor.ts'

// What a merchant's developer reads while typing: the hovers of an editor, as returned by TypeScript's language
// service.

const generated = (file: string) => readFileSync(new URL(`../generated/${file}`, import.meta.url), 'utf8')
const publicTypes = [...generated('public-types.ts').matchAll(/^ {2}(\w+),$/gm)].map(([, name = '']) => name)

/** Names of a type's own fields, as in the generated file. */
const fieldsOf = (type: ts.TypeNode): string[] => {
  if (ts.isTypeLiteralNode(type)) return type.members.map((member) => member.name?.getText() ?? '')
  return ts.isIntersectionTypeNode(type) ? type.types.flatMap(fieldsOf) : []
}

const fields = ts
  .createSourceFile('schema.d.ts', generated('schema.d.ts'), ts.ScriptTarget.Latest, true)
  .statements.filter(ts.isTypeAliasDeclaration)
  .filter(({ name }) => publicTypes.includes(name.text))
  .flatMap(({ name, type }) => fieldsOf(type).map((field) => ({ type: name.text, field })))

test('every field of every type has its description, also behind a reference', () => {
  expect(fields.length).toBeGreaterThan(100)
  const lineOf = ({ type, field }: (typeof fields)[number]) => `a${type}.${field}\n`
  const { hoverOver } = editorWith(`
    import type * as types from './index.ts'
    ${publicTypes.map((type) => `declare const a${type}: types.${type}\n`).join('')}
    ${fields.map(lineOf).join('')}
  `)
  for (const each of fields) {
    const { documentation, type } = hoverOver(each.field, lineOf(each))
    expect(documentation, lineOf(each)).toMatch(/^[A-Z`][^]{8,}/)
    expect(type, lineOf(each)).toMatch(/^\(property\) /)
  }
})

test('descriptions are plain text: no generator tags or notes, no dead links', () => {
  for (const file of ['schema.d.ts', 'calls.ts'])
    expect(generated(file), file).not.toMatch(/@description|@enum|replaced by|\]\(#/)
})

const program = `
  import { createMalipo, redirects, webhooks } from './index.ts'
  import type { BankCollectionRequest, PhoneCollectionRequest } from './index.ts'
  const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })
  declare const phone: PhoneCollectionRequest
  declare const bank: BankCollectionRequest
  const providers = await malipo.providers.list({ currency: 'UGX', transaction_type: 'COLLECTION' })
  const wallets = await malipo.wallets.list()
  const transaction = await malipo.transactions.verify('ORDER-2026-0001')
  const code = transaction.failure_code
  const byPhone = await malipo.collections.initialize(phone)
  const byBank = await malipo.collections.initialize(bank)
  const callback = await webhooks.verify('', {}, '')
  const outcome = await redirects.verify('', {})
  const status = outcome.transaction_status
  const reply = await malipo.http.GET('/data/wallet-balances')
  const reserve = reply.data?.data.merchant_wallets[0]?.reserve_balance
`
const editor = editorWith(program)

test.each([
  ['providers', 'Provider[]'],
  ['wallets', 'Wallet[]'],
  ['transaction', 'Transaction'],
  ['byPhone', 'CollectionAcknowledgement'],
  ['byBank', 'HostedCollectionAcknowledgement'],
  ['callback', 'webhooks.VerifiedCallback'],
  ['outcome', 'RedirectOutcome'],
])('shows a result by its name: %s is %s', (name, type) => {
  expect(editor.hoverOver(name, `const ${name}`).type).toBe(`const ${name}: ${type}`)
})

test('a call shows its summary, description, parameters, errors and sample', () => {
  const { type, documentation, tags } = editor.hoverOver('verify', 'transactions.verify')
  expect(type).toBe(
    '(method) TransactionsCalls.verify(merchantReference: string, options?: CallOptions): Promise<Transaction>',
  )
  expect(documentation).toMatch(/^Verify a transaction\.\n\nReturns a transaction by your own reference\./)
  expect(tags).toContain('@param merchantReference Your reference of the transaction.')
  expect(tags).toContain(
    '@throws MalipoError `not_found`, HTTP 404: Your account has no transaction with this reference, or only the archive has it: payments may be archived 13 months after the end of their month.',
  )
  expect(tags.at(-1)).toContain("await malipo.transactions.verify('ORDER-2026-0001')")
})

test('fields have descriptions in the bare client and in a redirect too', () => {
  expect(editor.hoverOver('reserve_balance', '?.reserve_balance').documentation).toMatch(/reserve/)
  expect(editor.hoverOver('transaction_status', 'outcome.transaction_status').documentation).toBe('Final status.')
})

test('a failure code shows the known values, and what to do with another', () => {
  const { documentation } = editor.hoverOver('failure_code', 'transaction.failure_code')
  expect(documentation).toMatch(/`insufficient_funds`, .*`operator_error`.* treat one that you do not know as if/)
})

/** The lines of code in the comments of a source, as an editor shows them. */
const examplesIn = (source: string): string[] =>
  [...source.matchAll(/^ *\* ```ts\n((?: *\*.*\n)*?) *\* ```$/gm)].map(([, lines = '']) =>
    lines.replaceAll(/^ *\* ?/gm, ''),
  )

test('every example of the package is a complete program in a closed code block', () => {
  const sources = globSync('{*,testing/*}.ts', { cwd: fileURLToPath(new URL('.', import.meta.url)) })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  expect(sources.flatMap(examplesIn).length).toBeGreaterThan(15)
  for (const source of [...sources, generated('calls.ts')]) {
    expect(examplesIn(source)).toHaveLength(source.match(/```ts/g)?.length ?? 0)
    for (const example of examplesIn(source)) {
      const { diagnostics = [] } = ts.transpileModule(example, {
        reportDiagnostics: true,
        compilerOptions: { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.ESNext },
      })
      expect(
        diagnostics.map(({ messageText }) => messageText),
        example,
      ).toEqual([])
    }
  }
})
