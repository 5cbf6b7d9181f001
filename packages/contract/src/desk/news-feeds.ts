import type { Infer } from '../protocol/codec.ts'
import { id, listOf, omittable, nothing, nullable, time, int } from '../protocol/field.ts'
import { userText } from '../protocol/user-text.ts'
import { CONTENT_CATEGORIES, language, version } from './content.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, enumeration, yesNo } from './record.ts'

/** The initial state of a feed's items. */
export const FEED_ITEM_STATES = ['draft', 'live'] as const

/** Why the last fetch of a feed failed. */
export const FEED_PROBLEMS = [
  ...(['addressRefused', 'unreachable', 'answerRefused', 'tooManyRedirects'] as const),
  ...(['tooLarge', 'tooSlow', 'unreadable'] as const),
] as const
export type FeedProblem = (typeof FEED_PROBLEMS)[number]

const form = {
  address: userText,
  name: userText,
  language,
  category: enumeration(CONTENT_CATEGORIES),
  itemState: enumeration(FEED_ITEM_STATES),
  isOn: yesNo,
}
const feed = record({
  id,
  version,
  changedAt: time,
  ...form,
  /** When it was last fetched, and the number of items taken from it. */
  askedAt: nullable(time),
  taken: int(0),
  problem: nullable(enumeration(FEED_PROBLEMS)),
})
/** A third-party feed, RSS or Atom, whose items are imported. It is switched off, never deleted. */
export type NewsFeed = Infer<typeof feed>

export const listNewsFeeds = defineDeskEndpoint({
  name: 'listNewsFeeds',
  method: 'GET',
  path: '/desk/api/content/feeds',
  permission: 'viewContent',
  request: nothing,
  response: record({ feeds: listOf(feed) }),
  summary: 'The feeds that items are taken in from, with what came of asking them last',
})

export const saveNewsFeed = defineDeskEndpoint({
  name: 'saveNewsFeed',
  method: 'POST',
  path: '/desk/api/content/feeds/save',
  permission: 'editFeeds',
  request: record({ id: omittable(id), version, ...form, reason }),
  response: record({ id, version }),
  summary: 'Writes a feed, or switches it off or on again; addresses that lead inward are refused',
})

export const fetchNewsFeed = defineDeskEndpoint({
  name: 'askNewsFeed',
  method: 'POST',
  path: '/desk/api/content/feeds/ask',
  permission: 'editFeeds',
  request: record({ id }),
  response: record({ id }),
  summary: 'Asks a feed for its items now; the list says what came of it',
})
