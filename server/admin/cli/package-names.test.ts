import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PACKAGES, PUBLISHED, pagesWithCommands, tarballOf } from '../../../openapi/packages.ts'
import { packagesInText } from '../../verification/testing/packages-in-text.ts'
import { calledAs } from './called-as.ts'

// Until there is a release, npm has no package of ours. If a page tells readers to install or execute an unregistered
// name, whoever registers that name runs code on their machines.

const EXTENSIONS = 'md,ts,tsx,js,cjs,mjs,json,yaml,yml,sh,service,txt,py,php,java,go,cs,hbs,html'
const FILES = [
  '*.{md,json}',
  '.ci/{audit,nightly,run}',
  '.ci/**/*.{ts,json}',
  '.github/**/*.{md,yml}',
  `{openapi,server,client,contract-tests,generated}/**/*.{${EXTENSIONS}}`,
]
/** History, released versions, and tests, which install from folders of their own. */
const EXCLUDED = /node_modules|CHANGELOG|package-lock|released\.json|\.test\.tsx?$|\/testing\/|\/dist\//

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const filesOf = (patterns: readonly string[]): readonly string[] =>
  globSync(patterns, { exclude: (name) => name.includes('node_modules') }).filter((file) => !EXCLUDED.test(file))

function knownNames(): ReadonlySet<string> {
  const { packages } = json('package-lock.json') as { packages: Record<string, { link?: boolean }> }
  const dependencies = Object.entries(packages).flatMap(([path, { link }]) => {
    const [, name] = /^.*node_modules\/(.+)$/.exec(path) ?? []
    return name === undefined || link ? [] : [name]
  })
  const scripts = filesOf(['package.json', '{client,openapi,contract-tests}/**/{_,}package.json']).flatMap((file) =>
    Object.keys((json(file) as { scripts?: object }).scripts ?? {}).map((name) => `npm run ${name}`),
  )
  // On npm `node` is Node's own project; the lock file lists only its platform packages.
  return new Set([...dependencies, ...scripts, 'node'])
}
const ours = PACKAGES.map(({ name }) => name)

test('commands fetch no package that the lock file lacks', () => {
  const known = new Set([...knownNames(), ...(PUBLISHED ? ours : [])])
  const files = filesOf(FILES)
  expect(files.length).toBeGreaterThan(1_000)
  const found = files.flatMap((file) => packagesInText(readFileSync(file, 'utf8')).map((each) => ({ file, ...each })))
  expect(found.length).toBeGreaterThan(50)
  const strange = found.filter(({ name }) => !known.has(name))
  expect([...new Set(strange.map(({ file, command, name }) => `${file}: ${command} takes ${name}`))]).toEqual([])
})

const TARBALL = /(?<![\w@-])(?:malipo|schemathesis-runner)[\w-]*-\d[\w.-]*\.tgz/g

test('pages name tarballs that npm run pack writes', () => {
  const tarballs = PACKAGES.map(tarballOf)
  const named = filesOf(FILES).flatMap((file) =>
    (readFileSync(file, 'utf8').match(TARBALL) ?? []).map((tarball) => `${file}: ${tarball}`),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((each) => !tarballs.some((tarball) => each.endsWith(`: ${tarball}`)))).toEqual([])
})

test('commands run programs of packages that npm run pack writes', () => {
  const programs = PACKAGES.flatMap(({ directory, command }) =>
    command === undefined ? Object.keys((json(`${directory}/package.json`) as { bin?: object }).bin ?? {}) : [command],
  )
  const run = filesOf(FILES).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/npx --no -- ((?:malipo|schemathesis)[\w-]*)/g)].map(([, name = '']) => ({
      file,
      name,
    })),
  )
  expect(run.map(({ name }) => name)).toEqual(expect.arrayContaining(['malipo', 'malipo-dev', 'malipo-contract-tests']))
  expect(run.filter(({ name }) => !programs.includes(name))).toEqual([])
})

test('one constant moves every page to the registry, and back', async () => {
  const tarballForm = await pagesWithCommands(false)
  const registryForm = await pagesWithCommands(true, (page) => tarballForm[page] ?? '')
  const known = [...knownNames(), ...ours]
  const taken = Object.values(registryForm).flatMap((text) => packagesInText(text).map(({ name }) => name))
  expect(taken).toEqual(expect.arrayContaining(ours))
  expect(taken.filter((name) => !known.includes(name))).toEqual([])
  expect(Object.values(registryForm).join('\n')).not.toMatch(/\.tgz|no release of it/)
  expect(await pagesWithCommands(false, (page) => registryForm[page] ?? '')).toEqual(tarballForm)
})

test.each(['/home/ada/malipo/server/cli.ts', '/home/ada/shop/node_modules/.bin/malipo', '/usr/local/bin/malipo'])(
  'hints of a command started as %s name no package to fetch',
  (script) => {
    expect(packagesInText(`Try: ${calledAs(script)} rail list`)).toEqual([])
  },
)

test.each([
  ['npx malipo-dev check', 'malipo-dev'],
  ['npx -y malipo-dev@latest check', 'malipo-dev'],
  ['npx -- malipo-dev check', 'malipo-dev'],
  ['npx -p @malipo/client malipo-dev check', '@malipo/client'],
  ['npx --package=@malipo/client@0.1.0 malipo-dev', '@malipo/client'],
  ['npm exec -- malipo-operator daraja', 'malipo-operator'],
  ['npm install @malipo/client', '@malipo/client'],
  ['npm i -D "@malipo/client"', '@malipo/client'],
  ["npm install --save-dev 'schemathesis-runner-wrapper@0.1.0'", 'schemathesis-runner-wrapper'],
  ['npm --prefix shop install @malipo/client', '@malipo/client'],
  ['npm install \\\n  @malipo/client', '@malipo/client'],
  ['npm install malipo/malipo', 'malipo/malipo'],
  ['npm create malipo-shop', 'create-malipo-shop'],
  ['yarn add @malipo/client', '@malipo/client'],
  ['yarn dlx malipo-dev', 'malipo-dev'],
  ['pnpm add @malipo/client', '@malipo/client'],
  ['pnpm dlx malipo-dev', 'malipo-dev'],
  ['bun add @malipo/client', '@malipo/client'],
  ['bunx malipo-dev', 'malipo-dev'],
  ['deno add npm:@malipo/client', '@malipo/client'],
  ["import { money } from 'npm:@malipo/client'", '@malipo/client'],
  ['https://www.npmjs.com/package/@malipo/client', '@malipo/client'],
  ['https://esm.sh/@malipo/client@0.1.0', '@malipo/client'],
  ['npm run no-such-script', 'npm run no-such-script'],
  ['pip install malipo', 'malipo'],
  ['python3 -m pip install --upgrade malipo-client', 'malipo-client'],
  ['go get github.com/malipo/malipo-go', 'github.com/malipo/malipo-go'],
  ['composer require malipo/client', 'malipo/client'],
  ['dotnet add package Malipo.Client', 'Malipo.Client'],
  ['gem install malipo', 'malipo'],
  ['Install it first: `npm install @malipo/client`.', '@malipo/client'],
  [String.raw`{"description":"x\nnpm install @malipo/client\ny"}`, '@malipo/client'],
])('finds what %j installs', (text, name) => {
  expect(packagesInText(text).map((each) => each.name)).toContain(name)
  expect(knownNames()).not.toContain(name)
})

test.each([
  'npx --no -- malipo-dev check http://127.0.0.1:3000/',
  'npm exec --no -- malipo-dev check',
  'npx -p ../malipo-client-0.1.0.tgz malipo-dev check',
  'npm install ./malipo-client-0.1.0.tgz',
  'npm install file:../client',
  'npm install <path>/malipo-client-0.1.0.tgz',
  'npm pack -w @malipo/operators',
  'npm ci && npm start',
  'npm install   # the shop',
  "import { createMalipo } from '@malipo/client'",
  'pip install -r requirements.txt',
  'pip install ./malipo',
])('finds nothing that %j installs', (text) => {
  expect(packagesInText(text)).toEqual([])
})
