import type { LegalDocument } from '@fairlot/contract'
import type { ContentRow, FeedProblem, Message, NewsFeed } from '@fairlot/contract/desk'
import { Badge, type BadgeTone } from '@fairlot/ui/feedback/badge.tsx'

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

/** The state in which items of a feed are saved. */
export const FEED_STATE_NAMES: Record<NewsFeed['itemState'], string> = {
  draft: 'Saved as drafts',
  live: 'Published at once',
}

/** Why a feed could not be read. */
export const FEED_PROBLEM_TEXTS: Record<FeedProblem, string> = {
  addressRefused: 'The address points to this server or its network, which is not allowed.',
  unreachable: 'No server answered at its address.',
  answerRefused: 'The server did not return a feed.',
  tooManyRedirects: 'There are too many redirects.',
  tooLarge: 'It is larger than 2 MB.',
  tooSlow: 'It did not arrive within 15 seconds.',
  unreadable: 'It is not an RSS or Atom feed.',
}

export const DOCUMENT_NAMES: Record<LegalDocument, string> = {
  terms: 'Terms',
  riskDisclosure: 'Risk disclosure',
  privacy: 'Privacy',
}

export const STATE_NAMES: Record<Message['state'], string> = {
  waiting: 'Waiting',
  sent: 'Uploaded',
  failed: 'Failed',
  kept: 'Not sent',
}

const TONES: Record<ContentRow['status'], BadgeTone> = {
  draft: 'plain',
  scheduled: 'brass',
  published: 'up',
  withdrawn: 'down',
}

/** The state of an item. */
export const StatusBadge = ({ status }: { status: ContentRow['status'] }) => (
  <Badge tone={TONES[status]}>{STATUS_NAMES[status]}</Badge>
)
