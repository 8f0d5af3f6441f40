/** The directory in which Linux's `configfs-tsm` creates reports, one subdirectory for each request. */
export const reportFolder = '/sys/kernel/config/tsm/report';
