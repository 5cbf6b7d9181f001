import type { LanguageCode, LegalDocument } from '@fairlot/contract'
import type { ContentRow, FeedProblem, Message, NewsFeed } from '@fairlot/contract/desk'

export const LANGUAGE_NAMES: Record<LanguageCode, string> = {
  ...{ hk: 'Chinese', en: 'English', jp: 'Japanese', kr: 'Korean', th: 'Thai', vn: 'Vietnamese' },
  ...{ fr: 'French', de: 'German', ru: 'Russian', spa: 'Spanish', pt: 'Portuguese', ar: 'Arabic' },
  ...{ it: 'Italian', tr: 'Turkish', id: 'Indonesian' },
}

/** BCP 47 tags, so that a browser sets and reads each text by its own rules. */
export const LANGUAGE_TAGS: Record<LanguageCode, string> = {
  ...{ hk: 'zh-HK', en: 'en', jp: 'ja', kr: 'ko', th: 'th', vn: 'vi', fr: 'fr', de: 'de' },
  ...{ ru: 'ru', spa: 'es', pt: 'pt', ar: 'ar', it: 'it', tr: 'tr', id: 'id' },
}

export const directionOf = (language: LanguageCode): 'rtl' | 'ltr' => (language === 'ar' ? 'rtl' : 'ltr')

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
