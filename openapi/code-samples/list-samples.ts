import { capitalized, type Call } from '../client/calls-of-contract.ts'
import type { Schema } from '../reading/document.ts'

/** A list operation in the words of its samples. */
export interface ListCall extends Pick<Call, 'name' | 'group' | 'needsSecretKey'> {
  /** The URL without its query. */
  readonly url: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly operationId: string
  /** The field of the data that holds the list. */
  readonly result: string
  /** Whether the call resolves to a page that has the list. */
  readonly isPage: boolean
  /** The fields of an item that a sample prints, with their schemas. */
  readonly shows: readonly (readonly [name: string, schema: Schema])[]
}

const KEYS = { 'public-key': 'pub_sandbox_demo', 'secret-key': 'sec_sandbox_demo', 'x-api-version': '1' }
const LINE_MAX = 120

const headersOf = ({ needsSecretKey }: ListCall): readonly (readonly [name: string, value: string])[] =>
  Object.entries(KEYS).filter(([name]) => needsSecretKey || name !== 'secret-key')
/** What a sample calls the list. */
const listOf = ({ group, isPage, result }: ListCall): string => (isPage ? result : group)
const itemOf = (call: ListCall): string => listOf(call).replace(/ies$/, 'y').replace(/s$/, '')
const fieldsOf = ({ shows }: ListCall): readonly string[] => shows.map(([name]) => name)
const urlOf = ({ url, query }: ListCall): string =>
  query.length === 0 ? url : `${url}?${String(new URLSearchParams(query.map(([...pair]) => pair)))}`
/** `payout_banks`: `PayoutBanks`. */
const pascal = (name: string): string => name.split('_').map(capitalized).join('')
const lines = <Item>(items: readonly Item[], write: (item: Item) => string): string => items.map(write).join('')

export const curlList = (call: ListCall): string => `curl --get --fail-with-body \\
  ${call.url} \\
${lines(call.query, ([name, value]) => `  -d ${name}=${encodeURIComponent(value)} \\\n`)}${headersOf(call)
  .map(([name, value]) => `  -H '${name}: ${value}'`)
  .join(' \\\n')}
`

export function typeScriptList(call: ListCall): string {
  const { isPage, name, query, url, needsSecretKey } = call
  const list = listOf(call)
  const options = [
    `baseUrl: '${new URL(url).origin}'`,
    "publicKey: 'pub_sandbox_demo'",
    ...(needsSecretKey ? ["secretKey: 'sec_sandbox_demo'"] : []),
  ]
  const create = `const malipo = createMalipo({ ${options.join(', ')} })`
  const given = query.length === 0 ? '' : `{ ${query.map(([key, value]) => `${key}: '${value}'`).join(', ')} }`
  const fields = fieldsOf(call).join(', ')
  const loop = `  for (const { ${fields} } of ${list})`
  const print = `console.log(${fields})`
  return `import { createMalipo, MalipoError } from '@malipo/client'

${create.length <= LINE_MAX ? create : `const malipo = createMalipo({\n${lines(options, (each) => `  ${each},\n`)}})`}

try {
  const ${isPage ? `{ ${list} }` : list} = await malipo.${name}(${given})
${loop}${loop.length + print.length < LINE_MAX ? ' ' : '\n    '}${print}
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
`
}

export const pythonList = (call: ListCall): string => `import json
import sys
import urllib.error
import urllib.request
from decimal import Decimal

request = urllib.request.Request(
    '${urlOf(call)}',
    headers={${headersOf(call)
      .map(([name, value]) => `'${name}': '${value}'`)
      .join(', ')}},
)
try:
    with urllib.request.urlopen(request, timeout=30) as reply:
        data = json.load(reply, parse_float=Decimal)['data']
except urllib.error.HTTPError as refusal:
    sys.exit(json.load(refusal)['message'])
except OSError as failure:
    sys.exit(f'No reply: {failure}')
for ${itemOf(call)} in data['${call.result}']:
    print(${fieldsOf(call)
      .map((name) => `${itemOf(call)}['${name}']`)
      .join(', ')})
`

export const phpList = (call: ListCall): string => `<?php
$curl = curl_init('${urlOf(call)}');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [${headersOf(call)
      .map(([name, value]) => `'${name}: ${value}'`)
      .join(', ')}],
]);
$body = curl_exec($curl);
if ($body === false) {
    fwrite(STDERR, 'No reply: ' . curl_error($curl) . "\\n");
    exit(1);
}
$reply = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
if ($reply['code'] !== 200) {
    fwrite(STDERR, "{$reply['message']}\\n");
    exit(1);
}
foreach ($reply['data']['${call.result}'] as $${itemOf(call)}) {
    echo "${fieldsOf(call)
      .map((name) => `{$${itemOf(call)}['${name}']}`)
      .join(' ')}\\n";
}
`

export const javaList = (call: ListCall): string => `import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

class ${capitalized(call.operationId)} {
    public static void main(String[] arguments) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("${urlOf(call)}"))
${lines(headersOf(call), ([name, value]) => `            .header("${name}", "${value}")\n`)}            .timeout(Duration.ofSeconds(30))
            .build();
        try {
            var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            if (reply.statusCode() != 200) {
                System.err.println(reply.body());
                System.exit(1);
            }
            // Java itself has no JSON: read the body with the library of your project. What you need is
            // data.${call.result}.
            System.out.println(reply.body());
        } catch (IOException failure) {
            System.err.println("No reply: " + failure);
            System.exit(1);
        }
    }
}
`

const GO_TYPES: Readonly<Record<string, string>> = { number: 'json.Number', integer: 'json.Number', boolean: 'bool' }

export function goList(call: ListCall): string {
  const fields = call.shows.map(([name, { type }]) => ({
    name,
    field: pascal(name),
    type: GO_TYPES[type ?? ''] ?? 'string',
  }))
  const width = (of: 'field' | 'type'): number => Math.max(...fields.map((each) => each[of].length))
  return `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"
)

func main() {
	log.SetFlags(0)
	request, err := http.NewRequest("GET", "${urlOf(call)}", nil)
	if err != nil {
		log.Fatal(err)
	}
${lines(headersOf(call), ([name, value]) => `	request.Header.Set("${name}", "${value}")\n`)}	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var reply struct {
		Message string
		Data    struct {
			${pascal(call.result)} []struct {
${lines(
  fields,
  ({ name, field, type }) => `				${field.padEnd(width('field'))} ${type.padEnd(width('type'))} \`json:"${name}"\`\n`,
)}			} \`json:"${call.result}"\`
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatal(reply.Message)
	}
	for _, ${itemOf(call)} := range reply.Data.${pascal(call.result)} {
		fmt.Println(${fields.map(({ field }) => `${itemOf(call)}.${field}`).join(', ')})
	}
}
`
}

export const cSharpList = (call: ListCall): string => `using System;
using System.Net.Http;
using System.Text.Json;
using System.Threading.Tasks;

using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
${lines(headersOf(call), ([name, value]) => `client.DefaultRequestHeaders.Add("${name}", "${value}");\n`)}try
{
    using var response = await client.GetAsync("${urlOf(call)}");
    using var reply = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
    if (!response.IsSuccessStatusCode)
    {
        Console.Error.WriteLine(reply.RootElement.GetProperty("message"));
        return 1;
    }
    foreach (var ${itemOf(call)} in reply.RootElement.GetProperty("data").GetProperty("${call.result}").EnumerateArray())
    {
        Console.WriteLine($"${fieldsOf(call)
          .map((name) => `{${itemOf(call)}.GetProperty("${name}")}`)
          .join(' ')}");
    }
    return 0;
}
catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException)
{
    Console.Error.WriteLine($"No reply: {failure.Message}");
    return 1;
}
`
