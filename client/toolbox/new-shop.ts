import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments, UsageError, type Command, type OptionTable } from './usage.ts'

/** Where the files of each framework go; the templates lie so that their imports hold in both places. */
const WEB_FOLDERS = { fastify: 'web', next: 'app' } as const
type Framework = keyof typeof WEB_FOLDERS

const OPTIONS = {
  framework: { type: 'string', value: 'fastify|next', default: 'fastify', help: 'what it is written with' },
  client: {
    type: 'string',
    value: 'SPEC',
    help: 'where npm gets @malipo/client from, such as file:../malipo-client-0.1.0.tgz',
  },
} as const satisfies OptionTable

/** `malipo-dev new shop`. */
export const newShopCommand: Command = {
  name: 'new shop',
  summary: 'writes a small complete shop that runs against the sandbox and passes check',
  takes: '[folder] [--framework fastify|next]',
  example: 'malipo-dev new shop coffee-shop --framework fastify',
  options: OPTIONS,
  notes: [
    'Checkout, callback receiver, handshake and the page that customers come back to. It writes into an empty or new folder only (coffee-shop if absent).',
  ],
  async run(args, { folder: here, print, paint }) {
    const {
      values,
      positionals: [name = 'coffee-shop'],
    } = readArguments(args, OPTIONS, { min: 0, max: 1, name: 'The folder' })
    const { framework, client } = values
    if (!isFramework(framework))
      throw new UsageError(`--framework must be ${Object.keys(WEB_FOLDERS).join(' or ')}; "${framework}" is neither`)
    const folder = resolve(here, name)
    writeShop(folder, framework, client)
    for (const line of [
      paint.good(`A ${framework} shop is in ${folder}`),
      '',
      `  cd ${name}`,
      '  npm install',
      '  npm run dev',
      '',
      'README.md tells the rest: listen, check, and what each file does.',
    ])
      print(line)
    return 0
  },
}

const isFramework = (text: string): text is Framework => Object.hasOwn(WEB_FOLDERS, text)

function writeShop(folder: string, framework: Framework, client: string | undefined): void {
  mustBeEmpty(folder)
  mkdirSync(folder, { recursive: true })
  const templates = fileURLToPath(new URL('./templates/', import.meta.url))
  cpSync(join(templates, 'shop'), join(folder, 'shop'), { recursive: true })
  cpSync(join(templates, framework), join(folder, WEB_FOLDERS[framework]), { recursive: true })
  for (const root of [join(templates, 'root'), join(templates, 'root', framework)]) copyFiles(root, folder)
  if (client !== undefined) useClient(join(folder, 'package.json'), client)
}

function mustBeEmpty(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file: name a new or empty folder`)
  const [first] = readdirSync(folder)
  if (first !== undefined) throw new UsageError(`${folder} is not empty (it holds ${first}): nothing was written`)
}

/**
 * The underscore keeps npm and git from taking the templates' own files for theirs: what was `_gitignore` becomes
 * `.gitignore`.
 */
function copyFiles(from: string, to: string): void {
  for (const file of readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    cpSync(join(from, file.name), join(to, file.name))
    renameSync(join(to, file.name), join(to, file.name.replace(/^_(gitignore|env)/, '.$1').replace(/^_/, '')))
  }
}

function useClient(file: string, spec: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replace(/("@malipo\/client": )"[^"]*"/, (_whole, name: string) => name + JSON.stringify(spec)),
  )
}
