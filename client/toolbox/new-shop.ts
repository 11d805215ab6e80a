import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { didYouMean } from './did-you-mean.ts'
import { readArguments, UsageError, type Command, type OptionTable } from './usage.ts'

/** Where the files of each framework go; the templates are placed so that their imports resolve in both places. */
const WEB_FOLDERS = { fastify: 'web', next: 'app', fastapi: 'web', php: 'web' } as const
type Framework = keyof typeof WEB_FOLDERS
const FRAMEWORKS = Object.keys(WEB_FOLDERS)
/** These share the folder `shop`, and run on the installed Node. */
const ON_NODE: readonly Framework[] = ['fastify', 'next']
/** From here on Node runs TypeScript without a flag, and has `node:sqlite`. */
const NODE_MIN = [22, 18] as const
/** The next commands to type. */
const FIRST_STEPS: Readonly<Record<Framework, readonly string[]>> = {
  fastify: ['npm install', 'npm run dev'],
  next: ['npm install', 'npm run dev'],
  fastapi: [
    'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt',
    '.venv/bin/uvicorn web.web:app --env-file .env.development --port ${PORT:-3000}',
  ],
  php: ['PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:${PORT:-3000} web/index.php'],
}

const OPTIONS = {
  framework: {
    type: 'string',
    value: 'fastify|next|fastapi|php',
    default: 'fastify',
    help: 'the framework to write it with',
  },
  client: {
    type: 'string',
    value: 'SPEC',
    help: 'what the shop installs as @malipo/client, such as file:../malipo-client-0.2.0.tgz (if absent: the folder of the client that runs now)',
  },
} as const satisfies OptionTable

/** `malipo-dev new shop`. */
export const newShopCommand: Command = {
  name: 'new shop',
  summary: 'writes a small complete shop that runs against the sandbox and passes check',
  takes: '[folder] [--framework fastify|next|fastapi|php]',
  example: 'malipo-dev new shop coffee-shop --framework fastify',
  options: OPTIONS,
  notes: [
    'Checkout, callback receiver, handshake and the page that customers come back to. It writes into an empty or new folder only (coffee-shop if absent).',
  ],
  async run(args, { folder: here, nodeVersion, print, paint }) {
    const {
      values,
      positionals: [name = 'coffee-shop'],
    } = readArguments(args, OPTIONS, { min: 0, max: 1, name: 'The folder' })
    const { framework, client } = values
    if (!isFramework(framework))
      throw new UsageError(
        `--framework must be ${FRAMEWORKS.join(' or ')}; "${framework}" is none of them.${didYouMean(framework, FRAMEWORKS)}`,
      )
    if (ON_NODE.includes(framework)) mustRunTypeScript(nodeVersion)
    const folder = resolve(here, name)
    refusedByName(folder, () => writeShop(folder, framework, client))
    for (const line of [
      paint.good(`A ${framework} shop is in ${folder}`),
      '',
      `  cd ${asTyped(name)}`,
      ...FIRST_STEPS[framework].map((step) => `  ${step}`),
      '',
      'README.md describes the rest: listen, check, and what each file does.',
    ])
      print(line)
    return 0
  },
}

/** Quotes one word for a shell. */
const asTyped = (word: string): string =>
  /^[\w./~:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

const isFramework = (text: string): text is Framework => Object.hasOwn(WEB_FOLDERS, text)

/** A full disk or a read-only folder is no bug of this program. */
function refusedByName(folder: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw new UsageError(`${folder} cannot be written: ${error.message}`)
    throw error
  }
}

/** Not `recursive`: where no folder can be made, such as in /proc, Node 24 would try for ever. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

function writeShop(folder: string, framework: Framework, client: string | undefined): void {
  mustBeEmpty(folder)
  makeFolder(folder)
  const templates = fileURLToPath(new URL('./templates/', import.meta.url))
  if (ON_NODE.includes(framework)) cpSync(join(templates, 'shop'), join(folder, 'shop'), { recursive: true })
  cpSync(join(templates, framework), join(folder, WEB_FOLDERS[framework]), { recursive: true })
  for (const root of [join(templates, 'root'), join(templates, 'root', framework)]) copyFiles(root, folder)
  const spec = client ?? clientThatRuns(folder)
  if (ON_NODE.includes(framework)) useClient(join(folder, 'package.json'), spec)
  else nameClient(join(folder, 'README.md'), spec)
}

/**
 * Referenced by its folder, not by its name: npm has no release of this package, and whoever registers the name would
 * run code in every new shop.
 */
function clientThatRuns(shop: string): string {
  const isClient = (folder: string): boolean => {
    const file = join(folder, 'package.json')
    return existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name === '@malipo/client'
  }
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!isClient(folder) && folder !== dirname(folder)) folder = dirname(folder)
  return `file:${relative(realpathSync(shop), folder).replaceAll('\\', '/')}`
}

function mustRunTypeScript(nodeVersion: string): void {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number)
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return
  throw new UsageError(
    `this shop runs on Node ${NODE_MIN.join('.')} or later, and yours is ${nodeVersion}: nothing was written. --framework fastapi (Python) and php need no Node`,
  )
}

function mustBeEmpty(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file: name a new or empty folder`)
  const [first] = readdirSync(folder)
  if (first !== undefined) throw new UsageError(`${folder} is not empty (it holds ${first}): nothing was written`)
}

/**
 * The underscore keeps npm and git from applying the templates' files to the templates: `_gitignore` becomes
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

/** Shops without npm use only the toolbox from there, by a line of their README. */
function nameClient(file: string, spec: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replaceAll(/npx -p file:\S+ /g, () => `npx -p ${asTyped(spec)} `),
  )
}
