// The number of an attempt. One that a person allowed beyond the limit stands alone.
export const attemptOf = (attempt: number, limit: number, between = ' of ') => (attempt > limit ? `${attempt}` : `${attempt}${between}${limit}`);
