import type { Finding, Rule } from './rule.ts'
import { codeFiles, type Tree } from './tree.ts'
import {
  AREAS,
  DESK_TOPICS,
  deskTopic,
  feature,
  serverFolder,
  SERVER_HOSTS,
  WEB_HOSTS,
  webFolder,
} from './words.ts'

const BANNED = new Set('common shared helper helpers util utils misc service services lib libs'.split(' '))
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/

function bannedFolder(path: string): string | null {
  const name = path
    .split('/')
    .slice(0, -1)
    .find((folder) => BANNED.has(folder))
  return name === undefined ? null : `a folder called "${name}" says nothing: name it after what it holds.`
}

function oddName(path: string): string | null {
  const name = path.split('/').find((part) => !part.startsWith('.') && !KEBAB_CASE.test(part))
  return name === undefined
    ? null
    : `"${name}" is not kebab-case: write full words in small letters, joined by "-".`
}

function strayFolder(path: string): string | null {
  const server = serverFolder(path)
  const web = webFolder(path)
  const screens = feature(path)
  if (server !== null && !AREAS.has(server) && !SERVER_HOSTS.has(server)) return stray(server)
  if (web !== null && !WEB_HOSTS.has(web)) return stray(web)
  const topic = deskTopic(path)
  if (topic !== null) return DESK_TOPICS.has(topic) ? null : stray(topic)
  return screens !== null && !AREAS.has(screens) ? stray(screens) : null
}

const stray = (name: string): string =>
  `"${name}" is neither an area, a topic of the desk nor a host: use one of the words in tools/tidy/words.ts.`

const findingsIn = (tree: Tree): Finding[] =>
  codeFiles(tree).flatMap(({ path }) =>
    [bannedFolder, oddName, strayFolder]
      .map((judge) => judge(path))
      .filter((message) => message !== null)
      .map((message) => ({ path, message })),
  )

export const folders: Rule = {
  name: 'folders',
  says: 'Folders are areas or hosts in kebab-case, never "common", "shared", "helpers", "utils", "misc" or "services".',
  look: (tree) => ({ looked: codeFiles(tree).length, findings: findingsIn(tree) }),
}
