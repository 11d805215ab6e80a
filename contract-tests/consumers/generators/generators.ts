import type { Generator } from './generator.ts'

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: ['node'],
}

/** How Node runs a client. */
const KINDS = {
  /** Directly: the client imports with file endings and has erasable types only. */
  module: {
    options: { module: 'NodeNext', allowImportingTsExtensions: true, noEmit: true },
    call: 'call.ts',
  },
  /** Compiled: the client imports without file endings, or has enums. */
  commonjs: {
    options: { module: 'CommonJS', moduleResolution: 'Node10', outDir: 'compiled' },
    call: 'compiled/call.js',
  },
} as const
type Kind = keyof typeof KINDS

const written = (file: string, text: string): string => `cat > ${file} <<'END'\n${text}\nEND\n`
const packageJson = (kind: Kind): string => written('package.json', JSON.stringify({ type: kind }))

/** Compiles `call.ts` with the strictest usual options, and runs it. */
function typeScript(name: string, kind: Kind) {
  const { options, call } = KINDS[kind]
  const config = JSON.stringify({ compilerOptions: { ...STRICT, ...options }, files: ['call.ts'] })
  return {
    name,
    language: 'TypeScript',
    reads: '3.1',
    compile: `cp "$FILES/programs/${name}.ts.txt" call.ts
${packageJson(kind)}${written('tsconfig.json', config)}"$NODE" "$MODULES/typescript/bin/tsc" -p .`,
    call: `"$NODE" ${call} "$URL"`,
  } as const
}

interface NpmGenerator {
  readonly name: string
  readonly version: string
  readonly kind: Kind
  /** Packages that its clients or its configuration import, each with its version. */
  readonly packages: readonly string[]
  /** Its program, below `node_modules`. */
  readonly bin: string
  /** Clients or a configuration in the job's folder import packages of the generator. */
  readonly lends?: true
  /** Its arguments, for a client in `malipo`. */
  readonly args: string
  /** Lines before it runs. */
  readonly before?: string
}

/** A generator that npm installs. */
function npm({ name, version, kind, packages, bin, lends, args, before = '' }: NpmGenerator): Generator {
  return {
    ...typeScript(name, kind),
    version,
    installation: {
      name: `${name}-${version}`,
      file: `node_modules/${bin}`,
      lines: `echo '{ "private": true }' > package.json
npm install --silent --ignore-scripts --prefix "$CACHE" ${packages.join(' ')}`,
    },
    // It runs where it finds its own packages.
    generate: `${packageJson(kind)}${before}${lends ? 'ln -s "$CACHE/node_modules" node_modules' : 'cd "$CACHE"'}
"$NODE" "$CACHE/node_modules/${bin}" ${args}`,
  }
}

/** The project's compiler: generators take the newest one otherwise. */
const TYPESCRIPT = 'typescript@5.9.3'
/** The newest version for which all of its plugins exist. */
const KUBB = '4.39.3'

/** `bundle` includes the client's own code, so that the generated code has no dependency. */
const KUBB_CONFIG = `import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

export default defineConfig({
  root: '.',
  input: { path: process.env.CONTRACT },
  output: { path: './malipo', clean: true, format: false, lint: false },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch', bundle: true, paramsType: 'object' })],
})`

const ORVAL_CONFIG = `const { CONTRACT: input, JOB, URL: baseUrl } = process.env
const output = { target: JOB + '/malipo.ts', client: 'fetch', mode: 'single', headers: true, baseUrl }
module.exports = { malipo: { input, output } }`

const inTypeScript: readonly Generator[] = [
  {
    ...typeScript('openapi-typescript', 'module'),
    version: '7.13.0',
    // The generator of our own client.
    generate: '"$MODULES/.bin/openapi-typescript" "$CONTRACT" -o schema.d.ts --default-non-nullable false',
  },
  npm({
    name: 'hey-api',
    version: '0.99.0',
    kind: 'commonjs',
    packages: ['@hey-api/openapi-ts@0.99.0', TYPESCRIPT],
    bin: '@hey-api/openapi-ts/bin/run.js',
    args: '-i "$CONTRACT" -o "$JOB/malipo"',
  }),
  npm({
    name: 'oazapfts',
    version: '7.5.0',
    kind: 'module',
    packages: ['oazapfts@7.5.0', '@oazapfts/runtime@1.2.0', TYPESCRIPT],
    bin: 'oazapfts/dist/cli.js',
    lends: true,
    args: '"$CONTRACT" malipo.ts',
  }),
  npm({
    name: 'orval',
    version: '8.38.0',
    kind: 'commonjs',
    packages: ['orval@8.38.0', 'prettier@3.10.1', TYPESCRIPT],
    bin: 'orval/dist/bin/orval.mjs',
    before: written('orval.config.cjs', ORVAL_CONFIG),
    args: '--config "$JOB/orval.config.cjs"',
  }),
  npm({
    name: 'kubb',
    version: KUBB,
    kind: 'module',
    packages: [
      ...['cli', 'core', 'plugin-oas', 'plugin-ts', 'plugin-client'].map((each) => `@kubb/${each}@${KUBB}`),
      TYPESCRIPT,
    ],
    bin: '@kubb/cli/bin/kubb.cjs',
    lends: true,
    before: written('kubb.config.mjs', KUBB_CONFIG),
    args: 'generate --config kubb.config.mjs',
  }),
  npm({
    name: 'swagger-typescript-api',
    version: '13.13.0',
    kind: 'commonjs',
    packages: ['swagger-typescript-api@13.13.0'],
    bin: 'swagger-typescript-api/dist/cli.mjs',
    args: 'generate -n malipo.ts -p "$CONTRACT" -o "$JOB"',
  }),
]

export const python: Generator = {
  name: 'openapi-python-client',
  language: 'Python',
  version: '0.29.1',
  reads: '3.1',
  needs: {
    'Python 3.11 or later with venv': `python3 -c 'import sys, venv; assert sys.version_info >= (3, 11)'`,
  },
  installation: {
    name: 'openapi-python-client-0.29.1',
    file: 'bin/python',
    lines: `python3 -m venv "$CACHE"
"$CACHE/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: \\
  -r "$FILES/python-requirements.txt"`,
  },
  // It calls ruff, which is installed beside it.
  generate: `PATH="$CACHE/bin:$PATH" "$CACHE/bin/python" -m openapi_python_client generate --meta none \\
  --fail-on-warning --path "$CONTRACT" --output-path malipo_client`,
  // Type-checked as its users check it. Inside, a variable gets two types wherever a class and its field share a name.
  compile: `cp "$FILES/programs/call.py" .
"$CACHE/bin/python" -m mypy --strict --follow-imports silent --no-error-summary call.py \\
  --cache-dir "$CACHE/mypy-cache"`,
  call: '"$CACHE/bin/python" call.py "$URL"',
}

const GO_MODULE = 'module example.org/malipo-call\n\ngo 1.24\n\nrequire github.com/oapi-codegen/runtime v1.8.0'

const go: Generator = {
  name: 'oapi-codegen',
  language: 'Go',
  version: '2.8.2',
  reads: '3.1',
  needs: { Go: 'go version' },
  installation: {
    name: 'oapi-codegen-2.8.2',
    file: 'oapi-codegen',
    lines: 'GOBIN="$CACHE" go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
  },
  // Without skip-prune the generator drops schemas that only webhooks use, but still generates types that refer to
  // them.
  generate: `mkdir malipo
"$CACHE/oapi-codegen" -generate types,client,skip-prune -package malipo -o malipo/malipo.go "$CONTRACT"`,
  compile: `${written('go.mod', GO_MODULE)}
cp "$FILES/programs/call.go.txt" call.go
go mod tidy
go vet ./...
go build -o call .`,
  call: './call "$URL"',
}

const OPENAPI_GENERATOR = '7.25.0'
const JAR = `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`
const MAVEN_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
const JAVA_AND_MAVEN = { Java: 'java -version', Maven: 'mvn -version' }
const GUZZLE = 'Guzzle in the include path of PHP (Debian: php-guzzlehttp-guzzle)'
/** Without generated tests and pages. */
const PARTS = 'apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'

/** A language of openapi-generator, whose support of 3.1 is beta. */
const openapiGenerator = (name: string, options = '') =>
  ({
    name: `openapi-generator ${name}`,
    version: OPENAPI_GENERATOR,
    reads: '3.0',
    older: 'https://github.com/OpenAPITools/openapi-generator/issues/9083',
    installation: {
      name: `openapi-generator-${OPENAPI_GENERATOR}`,
      file: JAR,
      lines: `mvn -q -B ${MAVEN_DEPENDENCIES}:copy -DoutputDirectory="$CACHE" \\
  -Dartifact=org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`,
    },
    // The document is validated first, as it is for every user.
    generate: `java -jar "$CACHE/${JAR}" generate -g ${name} --global-property ${PARTS} --input-spec="$CONTRACT" \\
  --output=malipo ${options}`,
  }) as const

const inOpenapiGenerator: readonly Generator[] = [
  {
    ...openapiGenerator('java', '--library native'),
    language: 'Java',
    needs: JAVA_AND_MAVEN,
    explained: [
      {
        line: /Ignoring complex example on request body/,
        why: 'the examples of a request stay out of its documentation',
      },
    ],
    compile: `cd malipo
mkdir -p src/main/java
cp "$FILES/programs/Call.java" src/main/java
mvn -q -B -DskipTests compile ${MAVEN_DEPENDENCIES}:copy-dependencies -DoutputDirectory="$PWD/target/dependency"`,
    call: `cd malipo
java -cp 'target/classes:target/dependency/*' Call "$URL"`,
  },
  {
    ...openapiGenerator('php'),
    language: 'PHP',
    needs: {
      PHP: 'php --version',
      'PHP with curl and mbstring (Debian: php-curl php-mbstring)': `php -r 'exit((int) !function_exists("mb_strlen") | (int) !function_exists("curl_init"));'`,
      [GUZZLE]: `php -r "require 'GuzzleHttp/autoload.php';"`,
      ...JAVA_AND_MAVEN,
    },
    // PHP has no compiler that links, so each class is also loaded: in one process.
    compile: `cp "$FILES/programs/call.php" "$FILES/programs/load.php" .
php -r 'require "./load.php"; foreach (glob("malipo/lib/{,*/}*.php", GLOB_BRACE) as $file) require_once $file;'`,
    call: 'php call.php "$URL"',
  },
  {
    ...openapiGenerator('rust', '--additional-properties packageName=malipo,supportAsync=false'),
    language: 'Rust',
    needs: { 'Rust (cargo)': 'cargo --version', ...JAVA_AND_MAVEN },
    explained: [
      {
        line: /cannot be used as an? .*Renamed to/,
        why: 'names in the style of Rust; what goes over the wire keeps its name',
      },
    ],
    // Without TLS, which a local gateway does not speak: this halves the build. Build results stay in the cache folder.
    compile: `cd malipo
mkdir -p examples
cp "$FILES/programs/call.rs" examples
cargo build --quiet --no-default-features --example call --target-dir "$CACHE/../rust-target"`,
    call: '"$CACHE/../rust-target/debug/examples/call" "$URL"',
  },
]

/** Eleven generators, six languages. */
export const GENERATORS: readonly Generator[] = [...inTypeScript, python, go, ...inOpenapiGenerator]
