import { join } from 'node:path'
import { cached } from './cache.ts'
import type { Found, Generator, Job } from './generator.ts'
import { canRun, runTool, type Ran } from './run-tool.ts'

const VERSION = '7.25.0'
const JAR = `openapi-generator-cli-${VERSION}.jar`

/** What the three languages of openapi-generator share. */
export const sharedByLanguages = { version: VERSION, reads: '3.0' } satisfies Partial<Generator>

/** The jar, which Maven fetches, and Java to run it. */
export async function findOpenapiGenerator({
  cache,
  install,
}: {
  readonly cache: string
  readonly install: boolean
}): Promise<Found> {
  if (!(await canRun('java', ['-version']))) return { missing: 'no Java' }
  if (!(await canRun('mvn', ['-version']))) return { missing: 'no Maven' }
  return cached({
    cache,
    install,
    name: `openapi-generator-${VERSION}`,
    tool: JAR,
    fill: (folder) =>
      runTool('mvn', [
        '-q',
        '-B',
        'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy',
        `-Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`,
        `-DoutputDirectory=${folder}`,
      ]),
  })
}

const LEFT_OUT = ['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((part) => `${part}=false`)

/** Generates a client into `malipo` of the job's folder; the document is validated first, as everybody's would be. */
export const runOpenapiGenerator = (
  jar: string,
  { folder, contract30 }: Job,
  language: string,
  options: readonly string[],
): Promise<Ran> =>
  runTool('java', [
    '-jar',
    jar,
    'generate',
    '-g',
    language,
    '-i',
    contract30,
    '-o',
    join(folder, 'malipo'),
    '--global-property',
    ['apis', 'models', 'supportingFiles', ...LEFT_OUT].join(','),
    ...options,
  ])
