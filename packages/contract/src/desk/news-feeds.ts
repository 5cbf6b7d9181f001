import type { Inside } from '../codec.ts'
import { id, listOf, maybe, nothing, orNull, time, whole } from '../field.ts'
import { typed } from '../typed-field.ts'
import { CONTENT_CATEGORIES, language, version } from './content.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, word, yesNo } from './record.ts'

/** How the items of a feed begin. */
export const FEED_ITEM_STATES = ['draft', 'live'] as const

/** Why a feed brought nothing when it was last asked. */
export const FEED_PROBLEMS = [
  ...(['addressRefused', 'unreachable', 'answerRefused', 'tooManyRedirects'] as const),
  ...(['tooLarge', 'tooSlow', 'unreadable'] as const),
] as const
export type FeedProblem = (typeof FEED_PROBLEMS)[number]

const form = {
  ...{ address: typed, name: typed, language, category: word(CONTENT_CATEGORIES) },
  ...{ itemState: word(FEED_ITEM_STATES), isOn: yesNo },
}
const feed = record({
  ...{ id, version, changedAt: time, ...form },
  /** When it was last asked, and how many items it has brought since it is here. */
  ...{ askedAt: orNull(time), taken: whole(0), problem: orNull(word(FEED_PROBLEMS)) },
})
/** A feed of somebody else, RSS or Atom, whose items are taken in. It is switched off, never deleted. */
export type NewsFeed = Inside<typeof feed>

export const listNewsFeeds = defineDeskEndpoint({
  name: 'listNewsFeeds',
  method: 'GET',
  path: '/desk/api/content/feeds',
  act: 'viewContent',
  request: nothing,
  response: record({ feeds: listOf(feed) }),
  summary: 'The feeds that items are taken in from, with what came of asking them last',
})

export const saveNewsFeed = defineDeskEndpoint({
  name: 'saveNewsFeed',
  method: 'POST',
  path: '/desk/api/content/feeds/save',
  act: 'editFeeds',
  request: record({ id: maybe(id), version, ...form, reason }),
  response: record({ id, version }),
  summary: 'Writes a feed, or switches it off or on again; addresses that lead inward are refused',
})

export const askNewsFeed = defineDeskEndpoint({
  name: 'askNewsFeed',
  method: 'POST',
  path: '/desk/api/content/feeds/ask',
  act: 'editFeeds',
  request: record({ id }),
  response: record({ id }),
  summary: 'Asks a feed for its items now; the list says what came of it',
})
