/* The calls for batches of slow5lib. */
typedef struct slow5_mt slow5_mt_t;
typedef struct {
    int32_t n_rec, capacity_rec;
    char **mem_records;
    size_t *mem_bytes;
    slow5_rec_t **slow5_rec;
    char **rid;
} slow5_batch_t;

slow5_mt_t *slow5_init_mt(int threads, slow5_file_t *file);
slow5_batch_t *slow5_init_batch(int capacity);
int slow5_get_next_batch(slow5_mt_t *mt, slow5_batch_t *batch, int count);
int slow5_get_batch(slow5_mt_t *mt, slow5_batch_t *batch, char **ids, int count);
void slow5_free_batch(slow5_batch_t *batch);
void slow5_free_mt(slow5_mt_t *mt);
