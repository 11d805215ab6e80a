import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cached } from './cache.ts'
import type { Generator, Job } from './generator.ts'
import { bring } from './programs.ts'
import { canRun, runTool, words } from './run-tool.ts'

const VERSION = '7.25.0'
const MAVEN_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
/** Without generated tests and pages. */
const PARTS = 'apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'

/** The jar, fetched by Maven, and the Java that runs it. */
const find: Generator['find'] = async ({ cache, install }) => {
  if (!(await canRun('java', ['-version']))) return { missing: 'no Java' }
  if (!(await canRun('mvn', ['-version']))) return { missing: 'no Maven' }
  return cached({
    cache,
    install,
    name: `openapi-generator-${VERSION}`,
    tool: `openapi-generator-cli-${VERSION}.jar`,
    fill: (folder) =>
      runTool('mvn', [
        ...words(`-q -B ${MAVEN_DEPENDENCIES}:copy -Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`),
        `-DoutputDirectory=${folder}`,
      ]),
  })
}

/** A language of openapi-generator, whose support of 3.1 is beta. */
const language = (name: string, options: readonly string[] = []) =>
  ({
    name: `openapi-generator ${name}`,
    version: VERSION,
    reads: '3.0',
    older: 'https://github.com/OpenAPITools/openapi-generator/issues/9083',
    explained: [],
    find,
    // Into `malipo` of the job's folder. The document is validated first, as it is for every user.
    generate: (jar: string, { folder, contract30 }: Job) =>
      runTool('java', [
        '-jar',
        jar,
        ...words(`generate -g ${name} --global-property ${PARTS}`),
        `--input-spec=${contract30}`,
        `--output=${join(folder, 'malipo')}`,
        ...options,
      ]),
  }) satisfies Partial<Generator>

const LIBRARIES = 'target/dependency'

export const java: Generator = {
  ...language('java', ['--library', 'native']),
  language: 'Java',
  explained: [
    {
      line: /Ignoring complex example on request body/,
      why: 'the examples of a request stay out of its documentation',
    },
  ],
  compile: async (_tool, { folder }) => {
    const project = join(folder, 'malipo')
    await mkdir(join(project, 'src/main/java'), { recursive: true })
    await bring('Call.java', join(project, 'src/main/java/Call.java'))
    const copying = [`${MAVEN_DEPENDENCIES}:copy-dependencies`, `-DoutputDirectory=${join(project, LIBRARIES)}`]
    return runTool('mvn', [...words('-q -B -DskipTests compile'), ...copying], { cwd: project })
  },
  call: (_tool, { folder, url }) =>
    runTool('java', ['-cp', `target/classes:${LIBRARIES}/*`, 'Call', url], { cwd: join(folder, 'malipo') }),
}

/** Checks every file in one process. PHP has no compiler that links, so each class is also loaded. */
const LOAD_ALL = `require './load.php'; foreach (glob('malipo/lib/{,*/}*.php', GLOB_BRACE) as $file) require_once $file;`

export const php: Generator = {
  ...language('php'),
  language: 'PHP',
  find: async (options) => {
    if (!(await canRun('php', ['--version']))) return { missing: 'no PHP' }
    if (!(await canRun('php', ['-r', `require 'GuzzleHttp/autoload.php';`])))
      return { missing: 'no Guzzle in the include path of PHP (Debian: php-guzzlehttp-guzzle)' }
    return find(options)
  },
  compile: async (_tool, { folder }) => {
    for (const program of ['call.php', 'load.php']) await bring(program, join(folder, program))
    return runTool('php', ['-r', LOAD_ALL], { cwd: folder })
  },
  call: (_tool, { folder, url }) => runTool('php', [join(folder, 'call.php'), url]),
}

const targetFolder = (jar: string): string => join(dirname(dirname(jar)), 'rust-target')

export const rust: Generator = {
  ...language('rust', ['--additional-properties', 'packageName=malipo,supportAsync=false']),
  language: 'Rust',
  explained: [
    {
      line: /cannot be used as an? .*Renamed to/,
      why: 'names in the style of Rust; what goes over the wire keeps its name',
    },
  ],
  find: async (options) => ((await canRun('cargo', ['--version'])) ? find(options) : { missing: 'no Rust (cargo)' }),
  compile: async (tool, { folder }) => {
    const project = join(folder, 'malipo')
    await mkdir(join(project, 'examples'), { recursive: true })
    await bring('call.rs', join(project, 'examples', 'call.rs'))
    // Without TLS, which a local gateway does not speak: this halves the build. Build results stay in the cache folder.
    const building = words('build --quiet --no-default-features --example call --target-dir')
    return runTool('cargo', [...building, targetFolder(tool)], { cwd: project })
  },
  call: (tool, { url }) => runTool(join(targetFolder(tool), 'debug', 'examples', 'call'), [url]),
}
