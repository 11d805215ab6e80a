import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'

/**
 * Whether the npm registry has our packages. Until then whoever registers one of the names runs code at readers of a
 * page that says it. With `true`, `npm run generate` rewrites the pages to the names of the registry.
 */
export const PUBLISHED: boolean = false

/** A package that people install. */
export interface UserPackage {
  readonly name: string
  readonly version: string
  /** In the repository: what npm packs. */
  readonly directory: string
  /** Whether `npm run pack` makes the folder. */
  readonly built: boolean
  /** What a built one is started as. */
  readonly command?: string
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly workspaces?: readonly string[]
}

const textOf = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const manifestIn = (directory: string): Manifest => JSON.parse(textOf(`${directory}package.json`)) as Manifest

const { version, workspaces = [] } = manifestIn('')
export const PACKAGES: readonly UserPackage[] = [
  { name: '@malipo/gateway', version, directory: 'dist/gateway', built: true, command: 'malipo' },
  {
    name: '@malipo/contract-tests',
    version,
    directory: 'dist/contract-runner',
    built: true,
    command: 'malipo-contract-tests',
  },
  ...workspaces
    .map((directory) => ({ ...manifestIn(`${directory}/`), directory, built: false }))
    .filter((each) => each.private !== true),
]

/** As `npm pack` calls it: `malipo-client-0.2.0.tgz`. */
export const tarballOf = ({ name, version: of }: UserPackage): string =>
  `${name.replace(/^@/, '').replace('/', '-')}-${of}.tgz`

/** A page that installs something: what it says before the first release, and what after it. */
type Wording = readonly [page: string, tarball: string, registry: string]
const WORDINGS: readonly Wording[] = [
  ['README.md', 'No npm package and no container image is published.', 'No container image is published.'],
  ['README.md', '`; `npm run pack` writes the file.', '`.'],
  ['server/packaging/README.md', tarballIn('an empty folder'), 'In an empty folder:'],
  [
    'server/deploy/README.md',
    'No image is published: whoever registers the name runs code at its users. In a clone, after `npm ci` and ' +
      '`apt-get install umoci` (Debian, Ubuntu), `npm run images` builds all into `dist/images/`, without a daemon and ' +
      'without root, and `docker load -i dist/images/gateway-*-amd64.tar` takes one over. Then:',
    'In any folder:',
  ],
  ['server/deploy/README.md', 'docker run --pull never ', 'docker run '],
  ['client/README.md', tarballIn('your project', 'malipo-dev'), 'In your project:'],
  ['openapi/operators/simulator/README.md', tarballIn('any folder', 'malipo-operator'), 'In any folder:'],
  ['contract-tests/README.md', tarballIn('your project'), 'In your project:'],
  ['contract-tests/schemathesis-runner-wrapper/README.md', tarballIn('your project'), 'In your project:'],
  [
    'server/rails/package/README.md',
    "You need Node 22 or later, and the tarball: `npm pack -w @malipo/rail` in Malipo's repository writes it.",
    'You need Node 22 or later.',
  ],
  [
    'openapi/pages/first-collection.md',
    'with the tarball that `npm run pack` writes into `dist/packages/` of a clone:',
    'without a clone:',
  ],
]

function tarballIn(folder: string, command?: string): string {
  const named = command === undefined ? '' : `, or one named \`${command}\`,`
  return (
    `The npm registry has no release of it yet: a package of this name there${named} is not ours. In a clone of Malipo, ` +
    `\`npm ci && npm run pack\` writes the tarball into \`dist/packages/\`. In ${folder}, with the tarball in it:`
  )
}

const escaped = (text: string): string => text.replaceAll(/[^\w\s]/g, '\\$&')
/** The formatter may have put the lines elsewhere. */
const anyWrap = (wording: string): RegExp => new RegExp(escaped(wording).replaceAll(' ', String.raw`\s+`))

/**
 * The pages that install a package, by path from the root: as they are, with the commands and the wording for now.
 * @throws Error when a page has neither wording
 */
export async function pagesWithCommands(
  published = PUBLISHED,
  read = textOf,
): Promise<Readonly<Record<string, string>>> {
  const config = await resolveConfig(fileURLToPath(new URL('../README.md', import.meta.url)))
  const texts: Record<string, string> = {}
  for (const [page, ...wordings] of WORDINGS) {
    const text = texts[page] ?? withCommands(read(page), published)
    const current = wordings.map(anyWrap).find((each) => each.test(text))
    if (current === undefined) throw new Error(`${page} says neither "${wordings.join('" nor "')}"`)
    const now = text.replace(current, () => wordings[published ? 1 : 0])
    texts[page] = await format(now, { ...config, parser: 'markdown' })
  }
  return texts
}

function withCommands(text: string, published: boolean): string {
  return PACKAGES.reduce((soFar, each) => {
    const file = `./${tarballOf(each)}`
    // Of any version: pages follow the manifests.
    const spec = `(?:${escaped(each.name)}|${escaped(file).replace(escaped(each.version), String.raw`\d[\w.-]*`)})`
    const [pattern, now] = each.command
      ? [
          `npm install ${spec} && npx --no -- ${each.command}|npx ${escaped(each.name)}`,
          published ? `npx ${each.name}` : `npm install ${file} && npx --no -- ${each.command}`,
        ]
      : [`(?<=npm install (?:--save-(?:dev|exact) )?)${spec}`, published ? each.name : file]
    return soFar.replaceAll(new RegExp(pattern, 'g'), now)
  }, text)
}
