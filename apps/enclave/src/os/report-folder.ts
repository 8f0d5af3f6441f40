/** Where Linux's `configfs-tsm` makes reports: one directory a request. */
export const reportFolder = '/sys/kernel/config/tsm/report';
