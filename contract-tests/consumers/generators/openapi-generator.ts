import { join } from 'node:path'
import { cached } from './cache.ts'
import type { ToolStatus, Generator, Job } from './generator.ts'
import { canRun, runTool, words, type ToolResult } from './run-tool.ts'

const VERSION = '7.25.0'
export const MAVEN_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
const JAR = `openapi-generator-cli-${VERSION}.jar`

/** Shared by the three languages of openapi-generator, whose support of 3.1 is beta. */
export const sharedByLanguages = {
  version: VERSION,
  reads: '3.0',
  older: 'https://github.com/OpenAPITools/openapi-generator/issues/9083',
} satisfies Partial<Generator>

/** The jar, fetched by Maven, and the Java that runs it. */
export async function findOpenapiGenerator({ cache, install }: Parameters<Generator['find']>[0]): Promise<ToolStatus> {
  if (!(await canRun('java', ['-version']))) return { missing: 'no Java' }
  if (!(await canRun('mvn', ['-version']))) return { missing: 'no Maven' }
  return cached({
    cache,
    install,
    name: `openapi-generator-${VERSION}`,
    tool: JAR,
    fill: (folder) =>
      runTool('mvn', [
        ...words(`-q -B ${MAVEN_DEPENDENCIES}:copy -Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`),
        `-DoutputDirectory=${folder}`,
      ]),
  })
}

/** Without generated tests and pages. */
const PARTS = 'apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'

/** Generates a client into `malipo` of the job's folder. The document is validated first, as it is for every user. */
export const runOpenapiGenerator = (
  jar: string,
  { folder, contract30 }: Job,
  language: string,
  options: readonly string[],
): Promise<ToolResult> =>
  runTool('java', [
    '-jar',
    jar,
    ...words(`generate -g ${language} --global-property ${PARTS} -i`),
    contract30,
    '-o',
    join(folder, 'malipo'),
    ...options,
  ])
