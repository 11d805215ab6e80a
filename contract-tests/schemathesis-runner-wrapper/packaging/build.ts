// Builds dist/: JavaScript, types and source maps of everything that the package's entries reach, as ES modules and, in
// dist/cjs/, as CommonJS. `npm pack` and `npm publish` run it first.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('..', import.meta.url))
const dist = join(home, 'dist')
/** Files that are read at run time, next to the compiled ones. */
const FILES = ['hooks.py', 'parse-yaml.py', 'requirements.lock']

/** Rebuilds dist/. @throws Error with the compiler's output */
export function build(): void {
  rmSync(dist, { recursive: true, force: true })
  compile(home, 'tsconfig.build.json')
  buildCommonJs()
  for (const file of FILES) copyFileSync(join(home, file), join(dist, file))
  for (const file of globSync('**/*.d.ts', { cwd: dist })) publishTypes(join(dist, file))
  settleModes()
}

/** The same file modes for whoever builds it: they are part of the tarball. */
function settleModes(): void {
  for (const file of globSync(['package.json', 'LICENSE', '*.md', 'dist/**/*'], { cwd: home }))
    if (statSync(join(home, file)).isFile()) chmodSync(join(home, file), 0o644)
}

/**
 * Compiles copies of the sources in a CommonJS folder: only there does the compiler turn ES imports into `require`.
 * The one module that uses its own location is replaced, as CommonJS has no `import.meta`.
 */
function buildCommonJs(): void {
  const copies = join(dist, 'cjs-sources')
  mkdirSync(copies, { recursive: true })
  for (const file of globSync('*.ts', { cwd: home })) copyFileSync(join(home, file), join(copies, file))
  copyFileSync(join(home, 'packaging', 'package-files.cjs.txt'), join(copies, 'package-files.ts'))
  const commonJs = '{ "type": "commonjs" }\n'
  writeFileSync(join(copies, 'package.json'), commonJs)
  const compilerOptions = { rootDir: '.', outDir: '../cjs', verbatimModuleSyntax: false }
  writeFileSync(
    join(copies, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.build.json', compilerOptions, files: ['index.ts'] }),
  )
  compile(copies, 'tsconfig.json')
  rmSync(copies, { recursive: true })
  writeFileSync(join(dist, 'cjs', 'package.json'), commonJs)
}

function compile(folder: string, config: string): void {
  const { status, stdout, error } = spawnSync('tsc', ['-p', join(folder, config)], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`The build fails:\n${stdout}`, { cause: error })
}

/** The compiler rewrites imports in JavaScript only, and older compilers of users resolve them as written. */
function publishTypes(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/((?:from|import\()\s*['"]\.[^'"]*?)(?:\.d)?\.ts(?=['"])/g, '$1.js'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
