import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { findOpenapiGenerator, runOpenapiGenerator, sharedByLanguages } from './openapi-generator.ts'
import { bring } from './programs.ts'
import { runTool } from './run-tool.ts'

const CLASSES = 'target/classes'
const LIBRARIES = 'target/dependency'

export const java: Generator = {
  ...sharedByLanguages,
  name: 'openapi-generator java',
  language: 'Java',
  explained: [
    {
      line: /Ignoring complex example on request body/,
      why: 'the examples of a request stay out of its documentation',
    },
  ],
  find: findOpenapiGenerator,
  generate: (tool, job) => runOpenapiGenerator(tool, job, 'java', ['--library', 'native']),
  compile: async (_tool, { folder }) => {
    const project = join(folder, 'malipo')
    await mkdir(join(project, 'src/main/java'), { recursive: true })
    await bring('Call.java', join(project, 'src/main/java/Call.java'))
    return runTool(
      'mvn',
      [
        '-q',
        '-B',
        '-DskipTests',
        'compile',
        'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies',
        `-DoutputDirectory=${join(project, LIBRARIES)}`,
      ],
      { cwd: project },
    )
  },
  call: (_tool, { folder, url }) =>
    runTool('java', ['-cp', `${CLASSES}:${LIBRARIES}/*`, 'Call', url], { cwd: join(folder, 'malipo') }),
}
