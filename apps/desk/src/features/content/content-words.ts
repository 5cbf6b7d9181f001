import type { LegalDocument } from '@fairlot/contract'
import type { ContentRow, FeedProblem, Message, NewsFeed } from '@fairlot/contract/desk'

export const KIND_NAMES: Record<ContentRow['kind'], string> = { news: 'News', announcement: 'Announcement' }

export const CATEGORY_NAMES: Record<ContentRow['category'], string> = {
  company: 'Company',
  market: 'Market',
  product: 'Product',
  policy: 'Policy',
}

export const STATUS_NAMES: Record<ContentRow['status'], string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  withdrawn: 'Withdrawn',
}

/** How the items of a feed begin. */
export const FEED_STATE_NAMES: Record<NewsFeed['itemState'], string> = {
  draft: 'Drafts, for somebody to publish',
  live: 'Published at once',
}

/** Why a feed brought nothing. */
export const FEED_PROBLEM_TEXTS: Record<FeedProblem, string> = {
  addressRefused: 'Its address leads to this machine or its network, which is never asked.',
  unreachable: 'Nobody answered at its address.',
  answerRefused: 'What answered had no feed to give.',
  tooManyRedirects: 'Its address leads on and on.',
  tooLarge: 'It is larger than 2 MB, or never ends.',
  tooSlow: 'It did not come within 15 seconds.',
  unreadable: 'What came is no RSS or Atom feed.',
}

export const DOCUMENT_NAMES: Record<LegalDocument, string> = {
  terms: 'Terms',
  riskDisclosure: 'Risk disclosure',
  privacy: 'Privacy',
}

export const STATE_NAMES: Record<Message['state'], string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  kept: 'Kept here',
}
